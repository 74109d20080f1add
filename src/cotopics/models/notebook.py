"""A fitted model in a notebook: its topics as a small table."""

from __future__ import annotations

from html import escape
from typing import Any

from sklearn.exceptions import NotFittedError
from sklearn.utils.validation import check_is_fitted

N_WORDS = 8  # of a topic
MAX_TOPICS = 50  # that are shown
BAR = "display:inline-block;height:0.7em;background:#0072B2;width:"
BAR_WIDTH = 8.0  # of the largest topic, in letters
LEFT = "text-align:left;padding:2px 8px"


class ShowsTopics:
    """`_repr_html_` for models: topics with their share and leading words; before a fit, scikit-learn's diagram."""

    def _repr_html_(self) -> str:
        return self._html_repr()

    def _html_repr(self) -> str:
        """What scikit-learn's own display functions ask for."""
        try:
            check_is_fitted(self, "components_")
        except NotFittedError:
            from sklearn.utils import estimator_html_repr

            return str(estimator_html_repr(self))
        return topics_as_html(self)

    def _repr_mimebundle_(self, **kwargs: Any) -> dict[str, str]:
        return {"text/plain": repr(self), "text/html": self._html_repr()}


def topics_as_html(model: Any) -> str:
    """A table of a fitted model's topics, the most prevalent first; words are escaped, so none is markup."""
    share = model.topic_prevalence_
    words = model.top_words(N_WORDS)
    order = (-share).argsort(kind="stable")
    is_named = model.fit_.names is not None

    def name_of(k: int) -> str:
        return f"<td style='{LEFT}'><b>{escape(model.topic_names_[k])}</b></td>" if is_named else ""

    rows = [
        f"<tr><td>{k}</td><td style='{LEFT};white-space:nowrap'>"
        f"<span style='{BAR}{BAR_WIDTH * share[k] / share.max():.2f}em'></span> {share[k]:.1%}</td>"
        f"{name_of(k)}<td style='{LEFT}'>{escape(' '.join(map(str, words[k])))}</td></tr>"
        for k in order[:MAX_TOPICS]
    ]
    more = (
        f"<tr><td colspan={3 + is_named}>… {len(order) - MAX_TOPICS} more topics</td></tr>"
        if len(order) > MAX_TOPICS
        else ""
    )
    name = f"<th style='{LEFT}'>name</th>" if is_named else ""
    head = f"<tr><th>topic</th><th style='{LEFT}'>share</th>{name}<th style='{LEFT}'>leading words</th></tr>"
    caption = f"<caption style='text-align:left'>{escape(type(model).__name__)}, {len(order)} topics</caption>"
    return f"<table>{caption}{head}{''.join(rows)}{more}</table>"
