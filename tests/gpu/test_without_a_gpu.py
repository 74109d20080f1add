"""All of `cotopics.gpu` but CUDA C, on kernels in numpy: what is found is what the processor finds."""

import subprocess
import sys
import warnings

import numpy as np
import pytest
import scipy.sparse as sp

import cotopics.gpu
from conftest import planted_corpus
from cotopics import TopicModel
from cotopics.cooccur import Balanced
from cotopics.documents import InMemory
from cotopics.errors import DeviceError, ParameterError
from cotopics.gpu import OnDevice, device, find_device, inference, matrices
from cotopics.gpu.documents import MAPPED, ONCE
from cotopics.infer import OneTopic, PriorAware
from device_in_numpy import IN_NUMPY


@pytest.fixture
def on_device(monkeypatch):
    monkeypatch.setattr(cotopics.gpu, "find_device", lambda asked: IN_NUMPY)


@pytest.fixture(scope="module")
def counts():
    rng = np.random.default_rng(1)
    X = rng.poisson(rng.gamma(0.4, 1.0, size=(90, 40)))
    X[7], X[:, 3] = 0, 0  # a document without words, and a word without documents
    return sp.csr_array(X)


@pytest.mark.parametrize(
    "options",
    [
        {"topics_per_document": "many"},
        {"topics_per_document": "many", "background": 0.3},
        {"topics_per_document": "one"},
        {"refine": 0},
        {"anchors": [[5], [9, 11]]},
        {"n_topics": 1},
    ],
    ids=str,
)
def test_the_same_topics_as_on_the_processor(on_device, options):
    X, *_ = planted_corpus(160, 60)
    X = sp.csr_array(sp.hstack([sp.vstack([X, sp.csr_array((1, X.shape[1]))]), sp.csr_array((X.shape[0] + 1, 1))]))
    options = {"n_topics": 4, **options}
    here, there = TopicModel(**options).fit(X), TopicModel(**options, device="cuda").fit(X)
    np.testing.assert_array_equal(there.anchors_, here.anchors_)
    np.testing.assert_allclose(there.components_, here.components_, atol=1e-5)
    np.testing.assert_allclose(there.topic_prevalence_, here.topic_prevalence_, atol=1e-5)
    np.testing.assert_allclose(there.topic_correlation_, here.topic_correlation_, atol=1e-5)
    assert there.diagnostics_["documents"] == here.diagnostics_["documents"]
    assert (here.diagnostics_["device"], there.diagnostics_["device"]) == ("cpu", IN_NUMPY.name)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of the document without words
        np.testing.assert_allclose(there.transform(X), here.transform(X), atol=2e-3)


def test_statistics_of_a_fit_are_the_same(on_device, counts):
    here, there = TopicModel(3).fit(counts).fit_.sums, TopicModel(3, device="auto").fit(counts).fit_.sums
    np.testing.assert_array_equal(there.frequency, here.frequency)
    for name in ("occurrences", "damped", "totals"):
        np.testing.assert_allclose(getattr(there, name), getattr(here, name), rtol=1e-5)


def test_documents_come_and_go_after_a_fit_there(on_device, counts):
    model = TopicModel(3, device="cuda").fit(counts[:60]).partial_fit(counts[60:]).forget(counts[:10])
    assert model.diagnostics_["update"]
    assert model.transform(counts[10:]).shape == (80, 3)


# --- matrices --------------------------------------------------------------------------------------------------------


def test_by_word_is_the_transpose_in_parts(counts, monkeypatch):
    monkeypatch.setattr(matrices, "PART", 4)
    rows = matrices.on_device(IN_NUMPY, counts).by_word
    assert set(np.diff(rows.bounds)) <= {1, 2, 3, 4}
    words = rows.row_of[matrices.repeated(np, rows.bounds)]
    np.testing.assert_array_equal(
        sp.csr_array((rows.data, (rows.indices, words)), shape=counts.shape).toarray(), counts.toarray()
    )
    assert [list(rows.row_of).count(w) for w in range(counts.shape[1])] == np.diff(rows.first_part).tolist()


def test_columns_are_those_asked_for_in_their_order(counts):
    words = np.array([30, 2, 3, 17])
    D = matrices.on_device(IN_NUMPY, counts).columns(words)
    wanted = counts.toarray()[:, words]
    np.testing.assert_array_equal(sp.csr_array((D.data, D.indices, D.indptr), shape=D.shape).toarray(), wanted)
    indptr, documents, data = D.transpose
    np.testing.assert_array_equal(sp.csr_array((data, documents, indptr), shape=D.shape[::-1]).toarray(), wanted.T)


@pytest.mark.parametrize("weighting", ["tfidf", "balanced", Balanced(2 / 3, word_power=0.5)], ids=str)
def test_cooccurrence_answers_as_that_on_the_processor(counts, weighting):
    here = InMemory(counts).cooccurrence(weighting, np.float32)
    there = OnDevice(counts, IN_NUMPY).cooccurrence(weighting, np.float32)
    V = np.random.default_rng(0).normal(size=(counts.shape[1], 3))
    words = np.array([1, 8, 3])
    for one, other in ((here, there), (here.restrict(np.arange(4, 20)), there.restrict(np.arange(4, 20)))):
        V = V[: one.shape[0]]
        for asked in (lambda C: C.row_sums(), lambda C: C @ V, lambda C: C.rows(words), lambda C: C.diagonal()):  # noqa: B023
            np.testing.assert_allclose(asked(other), asked(one), atol=1e-6 * np.abs(asked(one)).max())
        np.testing.assert_array_equal(other.documents.frequency, one.documents.frequency)


# --- documents' shares -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("infer", [PriorAware(background=0.2), OneTopic(0.7)], ids=lambda x: type(x).__name__)
def test_shares_as_on_the_processor_a_few_documents_at_a_time(counts, infer, monkeypatch):
    rng = np.random.default_rng(2)
    B, W = rng.dirichlet(np.full(40, 0.3), size=5).T, rng.dirichlet(np.ones(5), size=200)
    X, words = counts[np.diff(counts.indptr) > 0], rng.dirichlet(np.ones(40))
    given = (B, W.mean(axis=0), W.T @ W / 200, words)
    monkeypatch.setattr(inference, "AT_ONCE", 100)  # non-zeros: a few documents
    np.testing.assert_allclose(inference.infer_on(IN_NUMPY, infer, X, *given), infer(X, *given), atol=1e-3)


def test_other_ways_to_read_documents_look_for_no_device(counts, monkeypatch):
    monkeypatch.setattr(cotopics.gpu, "find_device", lambda asked: 1 / 0)
    model = TopicModel(3).fit(counts).set_params(device="cuda")
    assert model.transform(counts[:5], method="em").shape == (5, 3)
    with pytest.raises(ParameterError, match="device='tpu' must be one of"):
        model.set_params(device="tpu").transform(counts[:5])


def test_documents_that_did_not_converge_are_counted(counts):
    B = np.random.default_rng(0).dirichlet(np.ones(40), size=3).T
    X = counts[np.diff(counts.indptr) > 0]
    with pytest.warns(match=r"did not converge for \d+ of 89 documents"):
        inference.infer_on(IN_NUMPY, PriorAware(max_iter=2, tolerance=1e-9), X, B, np.ones(3) / 3, np.eye(3) / 3, None)


# --- where there is no GPU, or too little of it ----------------------------------------------------------------------


def test_without_a_gpu_one_line_says_so_and_the_processor_works(counts, monkeypatch):
    monkeypatch.setattr(device, "_cuda", lambda: (None, "CuPy is not installed"))
    here = TopicModel(3).fit(counts)
    with pytest.warns(match="^device='cuda': CuPy is not installed; the processor does the work$"):
        there = TopicModel(3, device="cuda").fit(counts)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        quiet = TopicModel(3, device="auto").fit(counts)
    for model in (there, quiet):
        np.testing.assert_array_equal(model.components_, here.components_)
        assert model.diagnostics_["device"] == "cpu"


def test_finding_a_device_never_fails():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        assert find_device("cpu") is None
        assert find_device("cuda") is None or find_device("cuda").name.startswith("cuda: ")


def test_too_little_memory_says_what_would_fit(on_device, counts, monkeypatch):
    monkeypatch.setattr(device, "free_bytes", lambda device: 30_000)
    assert TopicModel(3, device="auto").fit(counts).diagnostics_["device"] == "cpu"
    model = TopicModel(3, device="cuda")
    with pytest.raises(DeviceError, match=r"a fit needs about .* GiB are free: use device='cpu', .* or about \d+ %"):
        model.fit(counts)
    assert not hasattr(model, "components_")


def test_running_out_of_memory_inside_is_one_line():
    with pytest.raises(DeviceError, match="a fit ran out of memory on cuda"), device.room_on(IN_NUMPY, "a fit"):
        raise MemoryError


def test_more_topics_than_a_gpu_takes_is_an_error_before_the_work(on_device):
    X = sp.csr_array(np.eye(2100, dtype=int) + np.eye(2100, k=1, dtype=int))
    with (
        pytest.warns(match="n_topics=2060 is many"),
        pytest.raises(DeviceError, match="a GPU takes up to 2,048 topics, and n_topics=2060; use device='cpu'"),
    ):
        TopicModel(2060, device="cuda").fit(X)


def test_an_unknown_device_is_an_error(counts):
    with pytest.raises(ParameterError, match="device='tpu' must be one of cpu, cuda, auto"):
        TopicModel(3, device="tpu").fit(counts)


def test_documents_on_disk_stay_on_the_processor(on_device, tmp_path):
    path = tmp_path / "texts.txt"
    path.write_text("cats and dogs\nstars in the sky\n" * 20)
    with pytest.raises(ParameterError, match="device='cuda' is for documents in memory"):
        TopicModel(2, device="cuda").fit(path)
    assert TopicModel(2, device="auto").fit(path).diagnostics_["device"] == "cpu"


def test_a_saved_model_keeps_its_device_and_works_without(counts, tmp_path, monkeypatch, on_device):
    from cotopics import load

    model = TopicModel(3, device="cuda").fit(counts)
    model.save(tmp_path / "m.cotopics")
    monkeypatch.setattr(cotopics.gpu, "find_device", lambda asked: None)
    loaded = load(tmp_path / "m.cotopics")
    assert loaded.device == "cuda"
    assert loaded.transform(counts[:5]).shape == (5, 3)


def test_on_the_processor_nothing_of_it_is_imported():
    code = """
import sys
import numpy as np
from cotopics import TopicModel
TopicModel(2).fit_transform(np.random.default_rng(0).poisson(1.0, size=(30, 20)))
print([name for name in sys.modules if name.startswith(("cotopics.gpu", "cupy"))])
"""
    found = subprocess.run([sys.executable, "-W", "ignore", "-c", code], capture_output=True, text=True, check=True)
    assert found.stdout.strip() == "[]"


def test_every_function_of_the_table_is_the_processors_own():
    for function in (*MAPPED, *ONCE):
        assert not getattr(function, "__module__", "").startswith("cotopics.gpu")
