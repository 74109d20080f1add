"""How much memory a fit takes beyond its counts: W and N × K are small here, so what is left are copies of counts."""

import tracemalloc

import pytest
import scipy.sparse as sp

from cotopics import AnchorFree, AnchorWords, TopicModel
from cotopics.cooccur import check_counts
from cotopics.datasets import make_corpus

MODELS = {  # times the bytes of the counts
    "topic-model": (TopicModel(5, refine=2), 1.1),
    "anchor-words": (AnchorWords(5, rectifier="enn", representation="implicit"), 2.5),
    "anchor-free": (AnchorFree(5), 1.6),
}


@pytest.fixture(scope="module", params=["int64", "float64"])
def counts(request):
    """Whole numbers, as they come from counting, or floats: neither is copied to be the other."""
    X = make_corpus(10_000, 1500, 5, length=100, anchors_per_topic=3, random_state=0)[0]
    return sp.csr_matrix(check_counts(X).astype(request.param))


def peak(function, *arguments):
    tracemalloc.start()
    try:
        function(*arguments)
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize("name", MODELS)
def test_copies_of_the_counts_are_few(name, counts, monkeypatch):
    monkeypatch.setattr("cotopics.refine.blocks.BLOCK_NUMBERS", 1 << 16)  # many blocks, as of a large corpus
    for sample in ("models.topics_per_document.MAX_TOKENS", "infer.prior.MAX_TOKENS"):  # of a fixed size: small there
        monkeypatch.setattr(f"cotopics.{sample}", 20_000)
    monkeypatch.setenv("OMP_NUM_THREADS", "1")  # what several threads hold at once is no copy, and depends on chance
    model, most = MODELS[name]
    size = counts.data.nbytes + counts.indices.nbytes + counts.indptr.nbytes
    model.fit(counts).transform(counts)  # what is compiled is not counted
    assert peak(model.fit, counts) < most * size
    assert peak(model.transform, counts) < 0.5 * size
