"""Where documents are worked on: here, or on a GPU if one is asked for."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from typing import Any

from cotopics.documents import Documents, InMemory
from cotopics.errors import ParameterError
from cotopics.infer import Inference

CPU = "cpu"


@contextmanager
def placed(documents: Documents, asked: str, n_topics: int) -> Iterator[tuple[Documents, str]]:
    """The documents as they are, or on the device that is asked for, and what that is called."""
    device = _found(asked)
    if device is not None and not isinstance(documents, InMemory):
        if asked != "auto":
            raise ParameterError(
                f"device={asked!r} is for documents in memory, and these are on disk or on a cluster; use device='cpu'"
            )
        device = None
    if device is None:
        yield documents, CPU
        return
    from cotopics.gpu import OnDevice
    from cotopics.gpu.device import room_on
    from cotopics.gpu.documents import bytes_on_device
    from cotopics.gpu.kernels import check_topics

    assert isinstance(documents, InMemory)
    check_topics(n_topics)
    with room_on(device, bytes_on_device(documents.counts, n_topics), "a fit"):
        yield OnDevice(documents.counts, device), device.name


def inference_on(asked: str, infer: Inference) -> Inference:
    """The inference, on the device that is asked for."""
    device = _found(asked)
    if device is None:
        return infer
    from cotopics.gpu import infer_on

    return partial(infer_on, device, infer)


def _found(asked: str) -> Any:
    if asked == CPU:  # nothing of other devices is imported
        return None
    from cotopics.gpu import find_device

    return find_device(asked)
