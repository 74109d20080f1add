"""How much memory a fit takes beyond its counts: W and N × K are small here, so what is left are copies of counts."""

import tracemalloc

import pytest

from cotopics import AnchorFree, AnchorWords, TopicModel
from cotopics.cooccur import check_counts
from cotopics.datasets import make_corpus

MODELS = {  # times the bytes of the counts
    "topic-model": (TopicModel(5, refine=2), 2.25),
    "anchor-words": (AnchorWords(5, rectifier="enn", representation="implicit"), 2.75),
    "anchor-free": (AnchorFree(5), 1.75),
}


@pytest.fixture(scope="module")
def counts():
    return check_counts(make_corpus(10_000, 1500, 5, length=100, anchors_per_topic=3, random_state=0)[0])


def peak(function, *arguments):
    tracemalloc.start()
    try:
        function(*arguments)
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize("name", MODELS)
def test_copies_of_the_counts_are_few(name, counts):
    model, most = MODELS[name]
    size = counts.data.nbytes + counts.indices.nbytes + counts.indptr.nbytes
    model.fit(counts[:500])  # what is compiled is not counted
    assert peak(model.fit, counts) < most * size
    assert peak(model.transform, counts) < 0.5 * size
