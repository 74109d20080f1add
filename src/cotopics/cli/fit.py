"""cotopics fit"""

from __future__ import annotations

import shlex
from typing import Any

import click

from cotopics.cli.cluster import cluster, dask_option
from cotopics.cli.display import InputProblem, need_stdout, progress_bar, say, show, warnings_as_messages, wrote
from cotopics.cli.options import (
    INPUT_OPTIONS,
    READING_OPTIONS,
    WHOLE_OPTIONS,
    check_output,
    common_options,
    number_or_share,
    pick,
    reading_options,
    refuse_unused,
    typed_again,
)
from cotopics.cli.reading import open_pieces, pack_pieces, read_whole
from cotopics.cli.statistics import add_documents, again_option, fit_sums, locked, say_choice
from cotopics.cli.topics import describe_topics, shows_anchors, topics_table
from cotopics.registry import DEVICES, RECTIFIERS, TOPICS_PER_DOCUMENT, WEIGHTINGS

RECIPE = {"method": "topic-model", "weighting": "balanced", "rectifier": "auto", "min_anchor_documents": 0.005}
MAX_WORDS_FOR_AP = 5000  # with more, rectification of the full matrix takes minutes


def _number_or_auto(ctx: click.Context, param: click.Parameter, value: str) -> int | str:
    if value == "auto":
        return value
    if not value.isdecimal() or int(value) < 1:
        raise click.BadParameter(f"{value!r} is neither a number of topics nor 'auto'")
    return int(value)


def _share_or_auto(ctx: click.Context, param: click.Parameter, value: str) -> float | str:
    if value == "auto":
        return value
    try:
        share = float(value)
    except ValueError:
        share = -1.0
    if not 0 <= share < 1:
        raise click.BadParameter(f"{value!r} is neither a share from 0 to below 1 nor 'auto'")
    return share


def _number_or_cv(ctx: click.Context, param: click.Parameter, value: str) -> float | str:
    if value == "cv":
        return value
    try:
        number = float(value)
    except ValueError:
        raise click.BadParameter(f"{value!r} is neither a number nor 'cv'") from None
    if not 0 < number < float("inf"):
        raise click.BadParameter(f"{value} is not a finite number above 0, such as 1.1; larger finds fewer topics")
    return number


@click.command("fit")
@click.argument("input", type=click.Path())
@click.option(
    "-k", "--topics", "n_topics", default="10", show_default=True, callback=_number_or_auto,
    help="Number of topics; 'auto' uses what `cotopics choose` recommends.",
)  # fmt: skip
@click.option("-o", "--output", type=click.Path(), help="Save the model to this file (usually .cotopics).")
@click.option(
    "--method", type=click.Choice(["topic-model", "anchor-words", "anchor-free", "top"]), default=RECIPE["method"],
    show_default=True, help="topic-model is recommended; the others are the methods of the papers.",
)  # fmt: skip
@click.option(
    "--anchors", multiple=True, metavar="WORDS",
    help="For topic-model and anchor-words: words that a topic should start from, such as 'nasa orbit'. Repeat it for "
    "more topics; the others find their own.",
)  # fmt: skip
@reading_options
@click.option(
    "--weighting", type=click.Choice(WEIGHTINGS), default=RECIPE["weighting"], show_default=True,
    help="How documents are weighted in the co-occurrence; 'counts' is that of the papers.",
)  # fmt: skip
@click.option(
    "--rectifier", type=click.Choice(["auto", *RECTIFIERS, "none"]), default=RECIPE["rectifier"],
    show_default=True,
    help="For anchor words: alternating projection on the full matrix (ap) or on a thin factor (enn), a non-negative "
    "factor (palm), diagonal completion (dc) or none; auto is ap up to 5,000 words and enn for more.",
)  # fmt: skip
@click.option(
    "--min-anchor-documents", default=str(RECIPE["min_anchor_documents"]), show_default=True, callback=number_or_share,
    help="For anchor words: number or share of documents that an anchor must be in.",
)  # fmt: skip
@click.option(
    "--c1", default="1.1", show_default=True, callback=_number_or_cv,
    help="For top: by how many errors two numbers must differ to count as different; larger finds fewer topics. 'cv' "
    "chooses it by cross-validation.",
)  # fmt: skip
@click.option(
    "--refine", type=click.IntRange(0), default=None,
    help="Steps of expectation-maximisation after the fit; by default 30 for topic-model and none for the others.",
)  # fmt: skip
@click.option(
    "--topics-per-document", type=click.Choice(TOPICS_PER_DOCUMENT), default="auto", show_default=True,
    help="For topic-model: many are mixtures; one is for titles, tweets, answers; auto finds out and says why.",
)  # fmt: skip
@click.option(
    "--background", default="auto", show_default=True, callback=_share_or_auto,
    help="For topic-model: the share of every document that is words as all documents use them, or 'auto'.",
)  # fmt: skip
@click.option(
    "--device", type=click.Choice(DEVICES), default="cpu", show_default=True,
    help="For topic-model: cuda works on an Nvidia GPU, with cotopics[gpu] installed; auto does where there is one.",
)  # fmt: skip
@click.option(
    "--stream", is_flag=True,
    help="For files larger than memory: read INPUT in pieces. topic-model packs the counts into scratch files; "
    "anchor-words keeps a sketch of fixed size (with --weighting counts and --rectifier enn), and no document.",
)  # fmt: skip
@click.option(
    "--scratch", type=click.Path(), metavar="DIR",
    help="With --stream: the folder for scratch files, which are gone at the end; by default that of the system.",
)  # fmt: skip
@click.option(
    "--statistics", type=click.Path(), metavar="FILE",
    help="With --stream: fit anchor-words to a sketch that FILE (usually .statistics) keeps; if it exists, add to it.",
)  # fmt: skip
@again_option
@dask_option
@click.option("--seed", type=click.IntRange(0), help="For anchor-free, top and palm, which draw random numbers.")
@common_options
def command(
    input: str,
    output: str | None,
    stream: bool,
    scratch: str | None,
    statistics: str | None,
    again: bool,
    dask: str | None,
    **options: Any,
) -> None:
    """Find topics in INPUT and save the model.

    INPUT is a file of documents: .txt (one per line), .jsonl, .csv, .tsv or .parquet, or a folder of .txt files (one
    document each); or counts: .npz, .mtx, lda-c (.ldac) or UCI bag of words (docword*.txt), with the words in another
    file of the same folder. Text files may be compressed (.gz, .bz2, .xz, .zst); a folder of files of one kind is read
    as one; - is standard input. A file that --statistics wrote is fitted as it is.

    \b
    Examples:
      cotopics fit articles.jsonl.gz -k 20 -o articles.cotopics
      cotopics fit articles.jsonl.gz -k auto -o articles.cotopics
      cotopics fit notes.txt -k 8 --stop-words none
      cotopics fit posts.csv -k 20 --html --drop-duplicates --stop-words english --stop-words +code,https
      cotopics fit articles.jsonl.gz -k 20 --anchors "nasa orbit" --anchors hockey -o articles.cotopics
      cotopics fit articles.jsonl.gz -k 20 --method anchor-free -o articles.cotopics
      cotopics fit articles.jsonl.gz --method top --c1 2 -o articles.cotopics
      cotopics fit counts.npz -k 50 --method anchor-words --weighting counts --min-anchor-documents 0
      cotopics fit abstracts.parquet -k 100 --device cuda -o abstracts.cotopics
      cotopics fit artikel.csv -k 20 --text-field body --stop-words german --stem german -o artikel.cotopics
      cotopics fit docword.pubmed.txt.gz -k 50 --stream --scratch /large/disk -o pubmed.cotopics
      cotopics fit january.parquet -k 50 --stream --statistics news.statistics -o news.cotopics
      cotopics fit february.parquet -k 50 --stream --statistics news.statistics -o news.cotopics
      cotopics fit shards -k 50 -o news.cotopics --dask tcp://10.0.0.1:8786
    """
    is_statistics = _holds_statistics(input)
    is_sketch = is_statistics or (stream and (statistics is not None or options["method"] == "anchor-words"))
    refuse_unused(input, _unused(options["method"], stream, is_sketch, is_statistics, dask is not None))
    if statistics is not None and not stream:
        raise InputProblem("--statistics needs --stream")
    if scratch is not None and (is_sketch or dask is not None or not stream):
        raise InputProblem("--scratch is for --stream with --method topic-model, which packs counts into scratch files")
    if again and statistics is None:
        raise InputProblem("--again is for --statistics, which remembers what was added")
    if options["n_topics"] == "auto" and (is_sketch or options["method"] != "topic-model"):
        raise InputProblem("-k auto is for --method topic-model and for documents; ask `cotopics choose` for a number")
    if statistics is not None:
        check_output("--statistics", statistics, "news.statistics", inputs=[input])
    if output is not None:
        check_output("-o", output, "model.cotopics", inputs=[input, statistics or input])
    if output is None and statistics is None:
        need_stdout("name a file with -o")
    with progress_bar(), locked(statistics), cluster(dask, input):
        if is_sketch:
            kept = (
                _open_statistics(input)
                if is_statistics
                else add_documents(input, statistics, options, again=again, on_dask=dask is not None)
            )
            model = fit_sums(kept, **options)
        elif dask is not None:
            model = _fit_partitions(input, **options)
        elif stream:
            model = _fit_on_disk(input, scratch, **options)
        else:
            corpus, provenance = read_whole(input, options)
            options["anchors"] = _prepared_anchors(options["anchors"], corpus)
            model = fit_corpus(corpus, **options)
            model.provenance_ = provenance
        if "choice" in model.diagnostics_:
            say_choice(model.diagnostics_["choice"])
        if output is not None:
            model.save(output)
            wrote(output)
        if statistics is not None:  # last, so that a run that fails has added nothing and can be repeated
            sums, words, provenance = kept
            sums.save(statistics, words, provenance)
            wrote(statistics)
    told = model.diagnostics_.get("documents") or {}
    if "topics_per_document" in told:
        kind = {"one": "one topic each", "many": "several topics each"}[told["topics_per_document"]]
        say(f"Documents have {kind}: {told['reason']}")
    show(topics_table(describe_topics(model, 8), with_anchors=shows_anchors(model)))
    if output is not None:
        documents = "" if is_statistics else f" {typed_again(input, pick(options, INPUT_OPTIONS))}"
        say(f"Saved to {output}.  Next:  cotopics report {shlex.quote(output)}{documents}")
    else:
        say("Not saved: name a file with -o to keep the model.")


def _holds_statistics(input: str) -> bool:
    """Whether the name or the content is that of a file that --statistics wrote."""
    from pathlib import Path

    path = Path(input)
    if input.endswith(".statistics") or not path.is_file():
        return input.endswith(".statistics")
    with path.open("rb") as file:
        return b"cotopics-statistics" in file.read(100)


def _open_statistics(file: str) -> Any:
    """The statistics in a file."""
    from cotopics.cooccur import load_statistics

    kept = load_statistics(file)
    say(f"{kept.sums.n_documents} documents in {file}")
    return kept


def _fit_partitions(input: str, **options: Any) -> Any:
    """The model of files that workers of a cluster read."""
    documents, words, provenance = open_pieces(input, options, on_dask=True)
    say("; ".join([f"{len(documents.parts)} partitions, {len(words)} words", *documents.notes]))
    model = _model(n_words=len(words), **options)
    with warnings_as_messages():
        model.fit(documents)
    model.provenance_ = provenance
    return model


def _fit_on_disk(input: str, scratch: str | None, **options: Any) -> Any:
    """The model of files that are larger than memory: their counts are packed into a scratch file."""
    packed, provenance = pack_pieces(input, options, scratch)
    with packed, warnings_as_messages():
        model = _model(n_words=packed.n_words, **options).fit(packed)
    model.provenance_ = provenance
    return model


def _unused(method: str, stream: bool, is_sketch: bool, is_statistics: bool, on_dask: bool) -> dict[str, str]:
    """Options that have no effect here, and why."""
    unused: dict[str, str] = {}
    if method not in ("topic-model", "anchor-words"):
        unused |= {"anchors": "is for --method topic-model and anchor-words"}
    if method != "anchor-words":
        unused |= dict.fromkeys(("rectifier", "min_anchor_documents"), "is for --method anchor-words")
    if method == "topic-model":
        unused |= {"seed": "cannot be used with --method topic-model, in which nothing is random"}
        unused |= {"weighting": "is for --method anchor-words and anchor-free"}
    if method == "top":
        unused |= {"n_topics": "cannot be used with --method top, which finds the number of topics; use --c1"}
        unused |= {"weighting": "cannot be used with --method top, which uses counts"}
    else:
        unused |= {"c1": "is for --method top"}
    if method != "topic-model":
        unused |= dict.fromkeys(("topics_per_document", "background", "device"), "is for --method topic-model")
    if stream or is_statistics:
        unused |= dict.fromkeys((*WHOLE_OPTIONS, "anchors"), "needs all documents at once, and --stream reads pieces")
        unused |= {"date_format": "is for dates, which --stream does not read"}
        unused |= {"device": "is for documents in memory, and --stream reads pieces"}
        if method not in ("topic-model", "anchor-words"):
            unused |= {"method": "cannot be used with --stream, which is for topic-model and anchor-words"}
    if is_sketch:
        of_all = "needs every document, and a sketch keeps none (--statistics, or --stream with anchor-words)"
        unused |= dict.fromkeys(("refine", "topics_per_document", "background"), of_all)
        unused |= dict.fromkeys(("rectifier", "weighting"), "cannot be used with --stream, which sets it")
        if method != "anchor-words":
            unused |= {"method": "cannot be used with --statistics, which are for anchor-words"}
        unused |= {"seed": "cannot be used with --stream, in which nothing is random"}
        unused.pop("min_anchor_documents", None)
    if on_dask:
        whole = "needs all documents at once, and --dask counts them on the workers"
        unused |= {"device": "is for documents in memory, and --dask keeps them on the workers"}
        unused |= dict.fromkeys((*WHOLE_OPTIONS, "anchors"), whole)
    if is_statistics:
        documents = "is for documents, and INPUT holds statistics"
        unused |= dict.fromkeys((*READING_OPTIONS, "stream", "statistics", "dask"), documents)
    return unused


def fit_corpus(corpus: Any, **options: Any) -> Any:
    """Fit the model that the options describe; warnings become messages."""
    model = _model(n_words=len(corpus.vocabulary), **options)
    with warnings_as_messages():
        model.fit(corpus.counts, feature_names=corpus.vocabulary)
    return model


def _prepared_anchors(anchors: tuple[str, ...], corpus: Any) -> list[list[str]]:
    """The words of --anchors as the corpus has them: in lower case, as stems, and so on."""
    prepare = str.split if corpus.preparation is None else corpus.preparation
    groups = [(text, [word for word in dict.fromkeys(prepare(text)) if word in corpus.vocabulary]) for text in anchors]
    for text, group in groups:
        if not group:
            raise InputProblem(
                f"--anchors {text!r}: no such word is kept; name others, or keep rarer ones by --min-documents"
            )
    return [group for _, group in groups]


def _model(
    *,
    n_words: int,
    n_topics: int,
    method: str,
    weighting: str,
    rectifier: str,
    min_anchor_documents: float,
    c1: Any = 1.1,
    refine: int | None = None,
    seed: int | None = None,
    anchors: Any = None,
    topics_per_document: str = "auto",
    background: Any = "auto",
    device: str = "cpu",
    **others: Any,
) -> Any:
    from cotopics.models import TOP, AnchorFree, AnchorWords, TopicModel

    if method == "topic-model":
        given: dict[str, Any] = {} if refine is None else {"refine": refine}
        given |= {"topics_per_document": topics_per_document, "background": background, "anchors": anchors or None}
        return TopicModel(n_topics, device=device, **given)
    refine = refine or 0
    if method == "top":
        return TOP(c1=c1, refine=refine, random_state=seed)
    if method == "anchor-free":
        return AnchorFree(n_topics, weighting=weighting, refine=refine, random_state=seed)
    if rectifier == "auto":
        rectifier = "ap" if n_words <= MAX_WORDS_FOR_AP else "enn"
    return AnchorWords(
        n_topics,
        weighting=weighting,
        rectifier=None if rectifier == "none" else rectifier,
        min_anchor_documents=min_anchor_documents,
        anchors=anchors or None,
        refine=refine,
        random_state=seed,
    )
