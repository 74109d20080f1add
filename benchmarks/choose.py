"""How many topics: choose_n_topics where the number is planted and on real corpora, and what other rules say.

python benchmarks/choose.py planted [n_datasets]
python benchmarks/choose.py lengths [n_datasets]     40 topics without anchors, in longer and longer documents
python benchmarks/choose.py noise                   how much more than noise is left in real corpora
python benchmarks/choose.py corpora [NAME ...]      recommended number, NMI there and at the best number, other halvings
python benchmarks/choose.py stream NAME             documents on disk, of which a sample is looked at
python benchmarks/choose.py peers NAME [SWEEPS]     what others' rules choose; needs scikit-learn, tomotopy, gensim
"""

import sys
import time
import warnings

import numpy as np

from common import data_folder, keep
from cotopics import TopicModel, choose_n_topics, datasets
from cotopics.choose.evidence import evidence
from cotopics.choose.spectrum import above_and_behind
from cotopics.cooccur import check_counts
from cotopics.metrics import nmi as normalised_mutual_information
from problems import corpus

PLANTED = (5, 10, 20, 40)
ANCHORS = (5, 2, 1, 0)  # a topic
CORPORA = ("bbc_news", "reuters21578", "newsgroups20", "tdt2", "nips", "searchsnippets", "tweets")
ASIDE = ("m10", "poliblog", "flickr_captions")  # not used to choose the rule
UNLABELLED = ("nips", "poliblog")
GRID = (5, 8, 10, 12, 15, 20, 30, 40, 60)  # of numbers that labels are compared at
PEERS_GRID = (5, 10, 20, 40, 80)
LENGTHS = (300, 1000, 1500)  # words a document
N_HALVINGS = 2


def main(part: str = "corpora", *arguments: str) -> None:
    warnings.simplefilter("ignore")
    parts = {
        "planted": planted,
        "lengths": lengths,
        "noise": noise,
        "corpora": corpora,
        "stream": stream,
        "peers": peers,
    }
    parts[part](*arguments)


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
        TopicModel(GRID[0]).fit(problem.X)  # loads what is loaded once
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


def stream(name: str = "arxiv") -> None:
    choice, seconds = timed(lambda: choose_n_topics(data_folder() / name / "counts.npz"))
    rows = [[name, choice.n_topics, choice.finest, choice.sample, seconds, choice.reason]]
    columns = ["corpus", "recommended", "finest", "documents looked at", "CPU seconds", "reason"]
    keep("choose", columns, rows, "Counts in a file that is read as a stream.", argument=f"stream_{name}")


def agreement(problem, K: int) -> float:
    W = TopicModel(K).fit_transform(problem.X)
    return float(normalised_mutual_information(problem.labels, np.asarray(W).argmax(axis=1)))


def timed(work):
    """Seconds of processor time: those on the clock say little where others use the machine too."""
    started = time.process_time()
    result = work()
    return result, time.process_time() - started


def lengths(n_datasets: str = "2") -> None:
    """Without anchors, what is said about 40 topics, and how many directions of the counts are above those of noise.

    K topics have K − 1 directions besides the mean."""
    rows, n_documents, n_words, K = [], 1500, 1000, 40
    for length in LENGTHS:
        for trial in range(int(n_datasets)):
            X, _, _ = datasets.make_corpus(
                n_documents, n_words, K, length=length, anchors_per_topic=0, random_state=[K, 0, trial]
            )
            above, _ = above_and_behind(X)
            choice = choose_n_topics(X)
            rows.append([length, above, choice.n_topics, choice.reason])
            print(rows[-1], file=sys.stderr, flush=True)
    columns = ["words a document", "directions above noise, of 39", "recommended", "reason"]
    notes = "1,500 documents over 1,000 words, 40 topics without anchors, 004's mechanism."
    keep("choose", columns, rows, notes, argument="lengths")


def noise() -> None:
    """Directions of real counts above those of noise, and the mean square of what is behind them: 1 for noise."""
    rows = []
    for name in (*CORPORA, *ASIDE):
        _, X = evidence(check_counts(corpus(name, labelled=False).X))
        above, left = above_and_behind(X)
        rows.append([name, float(X.sum() / X.shape[0]), X.shape[1], above, left])
    columns = ["corpus", "words a document", "different words", "directions above noise", "mean square behind them"]
    keep("choose", columns, rows, "Of documents and words that the spectrum looks at.", argument="noise")


# --- what others' rules say -------------------------------------------------------------------------------------------


def peers(name: str, sweeps: str = "300") -> None:
    """Numbers that other rules choose, on the same counts; needs scikit-learn, tomotopy and gensim."""
    X = corpus(name, labelled=False).X.tocsr()
    is_test = np.random.default_rng(0).random(X.shape[0]) < 0.1
    rows = [[name, *row] for row in (*by_grid(X, is_test), *hierarchical(X, int(sweeps)))]
    for row in rows:
        print(row, file=sys.stderr, flush=True)
    notes = (
        f"Grid: {', '.join(map(str, PEERS_GRID))} topics, fitted to nine tenths of the documents by scikit-learn's LDA "
        "with its default options. Coherence and exclusivity of ten words; stm's FREX has weight 0.7."
    )
    keep("choose", ["corpus", "rule", "topics", "CPU seconds"], rows, notes, argument=f"peers_{name}")


def by_grid(X, is_test) -> list[list]:
    """Perplexity, coherence, and the idea of stm's searchK, each with a fit for every number."""
    from sklearn.decomposition import LatentDirichletAllocation

    from cotopics.metrics import coherence, npmi

    found, seconds = {}, 0.0
    for K in PEERS_GRID:
        model, spent = timed(
            lambda K=K: LatentDirichletAllocation(K, learning_method="online", random_state=0).fit(X[~is_test])
        )
        seconds += spent
        B = (model.components_ / model.components_.sum(axis=1, keepdims=True)).T
        measures = (-model.perplexity(X[is_test]), float(npmi(B, X)), float(coherence(B, X)), exclusivity(B))
        found[K] = (*measures, completed(model, B, X[is_test]))
        print(K, *(f"{value:.4g}" for value in found[K]), file=sys.stderr, flush=True)
    table = np.array([found[K] for K in PEERS_GRID])
    semantic, exclusive, held_out = table[:, 2], table[:, 3], table[:, 4]
    ranks = sum(values.argsort().argsort() for values in (held_out, semantic, exclusive))
    best = {
        "LDA (scikit-learn), least perplexity": table[:, 0],
        "LDA (scikit-learn), most coherence (NPMI)": table[:, 1],
        "searchK's idea: held-out likelihood alone": held_out,
        "searchK's idea: best sum of ranks of held-out likelihood, coherence, exclusivity": ranks,
    }
    return [[rule, PEERS_GRID[int(np.argmax(values))], seconds] for rule, values in best.items()]


def exclusivity(B, n_words: int = 10, weight: float = 0.7) -> float:
    """stm's measure, the mean over topics of the FREX of their leading words (Roberts et al. 2014)."""
    share = B / B.sum(axis=1, keepdims=True)
    scores = []
    for k in range(B.shape[1]):
        rank = [values.argsort().argsort() / len(values) for values in (share[:, k], B[:, k])]
        frex = 1 / (weight / np.maximum(rank[0], 1e-9) + (1 - weight) / np.maximum(rank[1], 1e-9))
        scores.append(frex[B[:, k].argsort()[-n_words:]].sum())
    return float(np.mean(scores))


def completed(model, B, X) -> float:
    """Log p of one half of the words of documents, given the other half, as `searchK` holds words out."""
    is_seen = np.arange(X.shape[1]) % 2 == 0
    seen, hidden = X.toarray() * is_seen, X.toarray() * ~is_seen
    p = model.transform(seen) @ B.T
    return float((hidden * np.log(np.maximum(p, 1e-12))).sum() / hidden.sum())


def hierarchical(X, sweeps: int) -> list[list]:
    """How many topics hierarchical Dirichlet processes find: tomotopy's, and gensim's with more than 1 % of words."""
    import gensim
    import tomotopy

    words = np.arange(X.shape[1]).astype(str)

    def by_sampling():
        model = tomotopy.HDPModel(seed=0)
        for i in range(X.shape[0]):
            row = slice(X.indptr[i], X.indptr[i + 1])
            model.add_doc(np.repeat(words[X.indices[row]], X.data[row]).tolist())
        model.train(sweeps, workers=1)
        return model.live_k

    def online():
        documents = [
            list(zip(*(array[X.indptr[i] : X.indptr[i + 1]].tolist() for array in (X.indices, X.data)), strict=True))
            for i in range(X.shape[0])
        ]
        model = gensim.models.HdpModel(documents, dict(enumerate(words)), random_state=0)
        shares = np.zeros(model.m_T)
        for document in documents:
            for k, share in model[document]:
                shares[k] += share * sum(count for _, count in document)
        return int((shares / shares.sum() > 0.01).sum())

    sampled, sampling = timed(by_sampling)
    streamed, streaming = timed(online)
    return [
        [f"HDP (tomotopy), {sweeps} sweeps", sampled, sampling],
        ["HDP (gensim), topics with 1 % of the words", streamed, streaming],
    ]


if __name__ == "__main__":
    main(*sys.argv[1:])
