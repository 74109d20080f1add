"""anchortopics: rectified anchor words on a thin factor (002), as it is."""

import numpy as np

from methods import leading

TITLE = "anchortopics OTFR"
PACKAGE = "anchortopics"


def fit(X, n_topics):
    from anchortopics import OTFR

    model = OTFR(n_topics=n_topics, random_state=0).fit(X.astype(np.float64))
    W = model.transform(X.astype(np.float64)) if hasattr(model, "transform") else None
    return leading(model.components_), W
