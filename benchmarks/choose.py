"""How many topics: choose_n_topics where the number is planted and on real corpora, and what other rules say.

python benchmarks/choose.py planted [n_datasets]
python benchmarks/choose.py corpora [NAME ...]      recommended number, NMI there and at the best number, other halvings
python benchmarks/choose.py peers NAME              LDA's perplexity by grid, coherence by grid, HDP (with tomotopy)
"""

import sys
import time
import warnings

import numpy as np

from common import keep
from cotopics import TopicModel, choose_n_topics, datasets
from cotopics.metrics import nmi as normalised_mutual_information
from problems import corpus

PLANTED = (5, 10, 20, 40)
ANCHORS = (5, 2, 1, 0)  # a topic
CORPORA = ("bbc_news", "reuters21578", "newsgroups20", "tdt2", "nips", "searchsnippets", "tweets")
UNLABELLED = ("nips", "poliblog")
GRID = (5, 8, 10, 12, 15, 20, 30, 40, 60)  # of numbers that labels are compared at
PEERS_GRID = (5, 10, 20, 40, 80)
N_HALVINGS = 2


def main(part: str = "corpora", *arguments: str) -> None:
    warnings.simplefilter("ignore")
    {"planted": planted, "corpora": corpora, "peers": peers}[part](*arguments)


def planted(n_datasets: str = "3") -> None:
    rows = []
    for anchors in ANCHORS:
        for K in PLANTED:
            for trial in range(int(n_datasets)):
                X, _, _ = datasets.make_corpus(
                    1500, 1000, K, length=300, anchors_per_topic=anchors, random_state=[K, anchors, trial]
                )
                choice, seconds = timed(lambda X=X: choose_n_topics(X))
                top = ", ".join(map(str, choice.n_topics_top.values()))
                rows.append([f"{K} planted, {anchors} anchors a topic", choice.n_topics, top, seconds, choice.reason])
    columns = ["corpus", "recommended", "TOP, c1 = 0.55, 1.1, 2.2", "CPU seconds", "reason"]
    notes = (
        "Planted: 1,500 documents of 300 tokens, 1,000 words, 004's mechanism. No anchors is beyond what TOP assumes."
    )
    keep("choose", columns, rows, notes, argument="planted")


def corpora(*names: str) -> None:
    rows = []
    for name in names or CORPORA:
        problem = corpus(name, labelled=name not in UNLABELLED)
        choice, seconds = timed(lambda X=problem.X: choose_n_topics(X))
        _, fit_seconds = timed(lambda X=problem.X, K=choice.n_topics: TopicModel(K).fit(X))
        others = [choose_n_topics(problem.X, random_state=seed).n_topics for seed in range(1, N_HALVINGS + 1)]
        here, best = None, None
        if problem.labels is not None:
            found = {K: agreement(problem, K) for K in sorted({*GRID, choice.n_topics})}
            here, best = found[choice.n_topics], max(found, key=found.get)
            best = f"{found[best]:.3f} at {best}"
        coarser = ", ".join(map(str, choice.coarser)) or "–"
        cells = [name, choice.n_topics, ", ".join(map(str, others)), choice.finest, coarser, here, best]
        rows.append([*cells, seconds, seconds / fit_seconds])
        print(rows[-1], choice.sentence, file=sys.stderr, flush=True)
    columns = [
        "corpus", "recommended", "with other halvings", "finest", "coarser", "NMI there", "best NMI", "CPU seconds",
        "in fits",
    ]  # fmt: skip
    argument = "corpora" if not names else "_".join(names)
    keep(
        "choose", columns, rows, "Seconds in fits: over those of one fit at the recommended number.", argument=argument
    )


def agreement(problem, K: int) -> float:
    W = TopicModel(K).fit_transform(problem.X)
    return float(normalised_mutual_information(problem.labels, np.asarray(W).argmax(axis=1)))


def timed(work):
    """Seconds of processor time: those on the clock say little where others use the machine too."""
    started = time.process_time()
    result = work()
    return result, time.process_time() - started


def peers(name: str) -> None:
    """Numbers that other rules choose, on the same counts; needs scikit-learn and tomotopy."""
    import tomotopy
    from sklearn.decomposition import LatentDirichletAllocation

    from cotopics.metrics import coherence, npmi

    X = corpus(name, labelled=False).X.tocsr()
    rng = np.random.default_rng(0)
    is_test = rng.random(X.shape[0]) < 0.1
    rows, perplexity, sense, seconds = [], {}, {}, 0.0
    for K in PEERS_GRID:
        model, spent = timed(
            lambda K=K: LatentDirichletAllocation(K, learning_method="online", random_state=0).fit(X[~is_test])
        )
        seconds += spent
        B = (model.components_ / model.components_.sum(axis=1, keepdims=True)).T
        perplexity[K], sense[K] = model.perplexity(X[is_test]), float(npmi(B, X))
        print(name, K, perplexity[K], sense[K], coherence(B, X), file=sys.stderr, flush=True)
    rows.append([name, "LDA (scikit-learn), least perplexity", min(perplexity, key=perplexity.get), seconds])
    rows.append([name, "LDA (scikit-learn), most coherence (NPMI)", max(sense, key=sense.get), seconds])
    words = np.arange(X.shape[1]).astype(str)

    def hierarchical():
        model = tomotopy.HDPModel(seed=0)
        for i in range(X.shape[0]):
            row = slice(X.indptr[i], X.indptr[i + 1])
            model.add_doc(np.repeat(words[X.indices[row]], X.data[row]).tolist())
        model.train(500, workers=1)
        return model.live_k

    found, spent = timed(hierarchical)
    rows.append([name, "HDP (tomotopy), 500 sweeps", found, spent])
    keep("choose", ["corpus", "rule", "topics", "CPU seconds"], rows, argument=f"peers_{name}")


if __name__ == "__main__":
    main(*sys.argv[1:])
