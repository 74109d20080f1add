"""Damaged, wrong and hostile files through the commands: one line, exit code 2, nothing written."""

import numpy as np
import pytest

from cooccur.test_statistics_file import LIES as STATISTICS_LIES
from cooccur.test_statistics_file import MAKE
from corpus.test_damaged import CASES
from cotopics import AnchorWords
from cotopics.cli.main import main
from cotopics.corpus import files
from cotopics.persistence import STATISTICS, Record, read_record, write_record
from cotopics.rectify import AlternatingProjection
from models.test_damaged_files import HEADERS, LIES, OTHERS, WORDS, rewritten
from models.test_damaged_files import X as COUNTS
from planted import TEXTS, X, write_jsonl
from runner import CliRunner

DOCUMENTS = {name: case for name, case in CASES.items() if "metadata_fields" not in case[2]}  # which is no option
READERS = (  # besides `fit`, each reads some of the damaged documents
    ["choose", "{bad}"],
    ["fit", "{bad}", "--stream", "-o", "{folder}/new.cotopics"],
    ["fit", "{bad}", "--stream", "--statistics", "{folder}/s.statistics"],
    ["forget", "{folder}/s.statistics", "{bad}"],
    ["transform", "{folder}/m.cotopics", "{bad}", "-o", "{folder}/new.csv"],
    ["evaluate", "{folder}/m.cotopics", "{bad}"],
    ["export", "{folder}/m.cotopics", "{bad}", "--to", "pyldavis", "-o", "{folder}/new.json"],
)
OPENERS = (
    ["topics", "{bad}"],
    ["transform", "{bad}", "{texts}", "-o", "{folder}/new.csv"],
    ["evaluate", "{bad}", "{texts}"],
    ["export", "{bad}", "--to", "graphml", "-o", "{folder}/new.graphml"],
)
ADDERS = (
    ["fit", "{bad}", "-o", "{folder}/new.cotopics"],
    ["forget", "{bad}", "{texts}"],
    ["fit", "{texts}", "--stream", "--statistics", "{bad}"],
)


@pytest.fixture(scope="module")
def good(tmp_path_factory):
    """A model and statistics that are whole, and texts."""
    folder = tmp_path_factory.mktemp("good")
    texts = write_jsonl(folder / "texts.jsonl", TEXTS)
    options = ["--stream", "--statistics", str(folder / "s.statistics"), "-o", str(folder / "m.cotopics"), "-k", "4"]
    assert CliRunner().invoke(main, ["fit", str(texts), *options]).exit_code == 0
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def refused(run, folder, command, **names):
    before = {path.name: path.read_bytes() for path in folder.iterdir()}
    result = run(*(argument.format(folder=folder, **names) for argument in command))
    assert result.exit_code == 2, result.output
    assert isinstance(result.exception, SystemExit), result.exception  # no traceback
    assert result.stderr.startswith("cotopics: ")
    assert len(result.stderr.splitlines()) == 1
    assert "\x1b" not in result.stderr
    assert result.stdout == ""
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == before


@pytest.mark.parametrize(("number", "name"), [*enumerate(DOCUMENTS)])
def test_documents_and_counts(run, tmp_path, monkeypatch, good, number, name):
    file, content, options, limit = DOCUMENTS[name]
    for other, data in (good | {file: content} | options.get("next_to", {})).items():
        (tmp_path / other).write_bytes(data)
    if limit is not None:
        monkeypatch.setattr(files, "MAX_BYTES", limit)
    encoding = ["--encoding", options["encoding"]] if "encoding" in options else []
    for command in (["fit", "{bad}", "-o", "{folder}/new.cotopics"], READERS[number % len(READERS)]):
        refused(run, tmp_path, [*command, *encoding], bad=tmp_path / file)


@pytest.fixture(scope="module")
def model(tmp_path_factory):
    path = tmp_path_factory.mktemp("model") / "m.cotopics"
    estimator = AnchorWords(2, rectifier=AlternatingProjection(tolerance=1e-3), anchors=[["кот", "犬"]])
    estimator.fit(COUNTS, feature_names=WORDS).save(path, statistics=True)
    return path


MODELS = {f"header: {name}": content for name, content in HEADERS.items()}
MODELS |= {f"other: {name}": content for name, (content, _) in OTHERS.items()}
MODELS |= {f"lie: {name}": change for name, change in LIES.items()}
MODELS |= {f"cut: {share:.2f}": share for share in np.linspace(0, 0.99, 12)}


@pytest.mark.parametrize(("number", "name"), [*enumerate(MODELS)])
def test_models(run, tmp_path, model, number, name):
    damage = MODELS[name]
    if callable(damage):
        damage = rewritten(model, damage)
    elif isinstance(damage, float):
        damage = model.read_bytes()[: int(damage * model.stat().st_size)]
    bad, texts = tmp_path / "bad.cotopics", write_jsonl(tmp_path / "texts.jsonl", ["e", "кот"])
    bad.write_bytes(damage)
    refused(run, tmp_path, OPENERS[number % len(OPENERS)], bad=bad, texts=texts)


@pytest.mark.parametrize(("number", "lie"), [*enumerate([*STATISTICS_LIES["sketch"], *np.linspace(0, 0.99, 12)])])
def test_statistics(run, tmp_path, number, lie):
    bad, texts = tmp_path / "bad.statistics", write_jsonl(tmp_path / "texts.jsonl", TEXTS)
    MAKE["sketch"](X[:, :40]).save(bad)
    if isinstance(lie, str):
        record = read_record(bad, STATISTICS)
        manifest, arrays = dict(record.manifest), dict(record.arrays)
        STATISTICS_LIES["sketch"][lie](manifest, arrays)
        write_record(bad, Record(manifest, arrays), STATISTICS)
    else:
        bad.write_bytes(bad.read_bytes()[: int(lie * bad.stat().st_size)])
    refused(run, tmp_path, ADDERS[number % len(ADDERS)], bad=bad, texts=texts)


def test_there_are_many():
    assert len(DOCUMENTS) + len(MODELS) > 400
