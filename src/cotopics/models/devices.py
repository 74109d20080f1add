"""Where documents are worked on: here, or on a GPU if one is asked for."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from typing import Any

from cotopics.documents import Documents, InMemory
from cotopics.errors import DeviceError, ParameterError
from cotopics.infer import Inference, OneTopic, PriorAware
from cotopics.registry import DEVICES

CPU = "cpu"


def device_for(asked: str, documents: Documents) -> Any:
    """The device that a fit of these documents works on; None for the processor."""
    device = _found(asked)
    if device is None or isinstance(documents, InMemory):
        return device
    if asked == "auto":
        return None
    raise ParameterError(
        f"device={asked!r} is for documents in memory, and these are on disk or on a cluster; use device='cpu'"
    )


@contextmanager
def placed(documents: Documents, device: Any, asked: str, n_topics: int) -> Iterator[tuple[Documents, str]]:
    """The documents as they are, or on the device, and what it is called; an error where they do not fit there."""
    if device is None:
        yield documents, CPU
        return
    from cotopics.gpu import OnDevice
    from cotopics.gpu.device import check_room, room_on
    from cotopics.gpu.documents import bytes_on_device
    from cotopics.gpu.kernels import check_topics

    assert isinstance(documents, InMemory)
    try:
        check_topics(n_topics)
        check_room(device, bytes_on_device(documents.counts, n_topics), "a fit")
    except DeviceError:
        if asked != "auto":
            raise
        yield documents, CPU
        return
    with room_on(device, "a fit"):
        yield OnDevice(documents.counts, device), device.name


def inference_on(asked: str, infer: Inference) -> Inference:
    """The inference, on the device that is asked for."""
    check_device(asked)
    if not isinstance(infer, PriorAware | OneTopic) or (device := _found(asked)) is None:
        return infer
    from cotopics.gpu import infer_on

    return partial(infer_on, device, infer)


def check_device(asked: Any) -> None:
    if asked not in DEVICES:
        raise ParameterError(f"device={asked!r} must be one of {', '.join(DEVICES)}")


def _found(asked: str) -> Any:
    if asked == CPU:  # nothing of other devices is imported
        return None
    from cotopics.gpu import find_device

    return find_device(asked)
