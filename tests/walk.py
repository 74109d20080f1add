"""How far a reader has to go to follow `TopicModel.fit`: which functions of cotopics it calls, in which order.

    python tests/walk.py                       of this source tree
    PYTHONPATH=OTHER/src python tests/walk.py  of another one, for a comparison

Of a second fit: what is imported or compiled at first is not part of the walk. Only the thread that asks is followed,
not those that share its loops over rows. Functions without a name
(lambda, comprehensions) belong to the function that they are written in.
"""

import sys
from pathlib import Path
from typing import NamedTuple

import cotopics
from conftest import planted_corpus
from cotopics import TopicModel

ROOT = Path(cotopics.__file__).parent


class Step(NamedTuple):
    """A call of a function of cotopics: its file, and its name within the file."""

    file: str
    name: str

    @property
    def of_class(self):
        """The class of a method; empty for functions, which are read where they are called."""
        return self.name.split(".<locals>")[0].rpartition(".")[0]


def walk(**parameters):
    """The calls of one fit, in order."""
    X, steps = planted_corpus()[0], []
    TopicModel(4, **parameters).fit(X)

    def visit(frame, event, argument):
        code = frame.f_code
        if event == "call" and "<" not in code.co_name and Path(code.co_filename).is_relative_to(ROOT):
            steps.append(Step(Path(code.co_filename).relative_to(ROOT).as_posix(), code.co_qualname))

    sys.setprofile(visit)
    try:
        TopicModel(4, **parameters).fit(X)
    finally:
        sys.setprofile(None)
    return steps


def classes_of_models(steps):
    """The classes of `models` in the order in which a fit comes to them; each change is a switch."""
    classes = [step.of_class for step in steps if step.file.startswith("models/") and step.of_class]
    return [name for i, name in enumerate(classes) if i == 0 or classes[i - 1] != name]


if __name__ == "__main__":
    steps = walk()
    classes = classes_of_models(steps)
    print(f"{len(set(steps))} functions in {len({step.file for step in steps})} files")
    print(f"{len({step for step in steps if step.file.startswith('models/')})} of them in models/")
    print(f"{len(classes) - 1} switches between classes of models/: {' → '.join(classes)}")
