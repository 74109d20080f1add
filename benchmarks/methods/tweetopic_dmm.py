"""tweetopic's Dirichlet-multinomial mixture by Gibbs sampling (GSDMM; Yin and Wang 2014), 50 sweeps."""

from methods import leading

TITLE = "tweetopic DMM (50 sweeps)"
PACKAGE = "tweetopic"


def fit(X, n_topics):
    from tweetopic import DMM

    model = DMM(n_topics, n_iterations=50, random_state=1)
    model.fit(X)
    return leading(model.components_), model.transform(X)
