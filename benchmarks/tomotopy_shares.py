"""Documents' shares by a well-mixed sampler: tomotopy's LDA, 1,000 sweeps. Started by shares.py, in its own process.

python benchmarks/tomotopy_shares.py COUNTS.npz N_TOPICS SWEEPS SHARES.npy TOPICS.npy
"""

import sys

import numpy as np
import scipy.sparse as sp
import tomotopy


def main(counts: str, n_topics: str, sweeps: str, shares: str, topics: str) -> None:
    X = sp.csr_matrix(sp.load_npz(counts))
    model = tomotopy.LDAModel(k=int(n_topics), seed=1)
    for d in range(X.shape[0]):
        own = slice(X.indptr[d], X.indptr[d + 1])
        model.add_doc([str(i) for i in np.repeat(X.indices[own], X.data[own])])
    model.train(int(sweeps), workers=2)
    np.save(shares, np.array([document.get_topic_dist() for document in model.docs], dtype=np.float32))
    order = np.array([int(word) for word in model.used_vocabs])
    B = np.zeros((int(n_topics), X.shape[1]), dtype=np.float32)
    B[:, order] = [model.get_topic_word_dist(k) for k in range(int(n_topics))]
    np.save(topics, B)


if __name__ == "__main__":
    main(*sys.argv[1:])
