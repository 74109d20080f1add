"""The GPU that work is done on, if there is one."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np

from cotopics.errors import DeviceError, warn_caller


@dataclass(frozen=True)
class Device:
    """A device: its array library, its kernels and what it is called.

    name : "cuda: NVIDIA H200"
    xp : a module with numpy's functions, CuPy
    kernels : `CudaKernels`
    """

    name: str
    xp: Any
    kernels: Any

    def put(self, array: Any, dtype: Any = None) -> Any:
        """An array of the processor, or one that is there already, on the device, row after row as kernels read it."""
        return self.xp.asarray(array, dtype, order="C")

    def get(self, array: Any) -> Any:
        """An array of the device on the processor."""
        return array.get() if hasattr(array, "get") else array


def find_device(asked: str) -> Device | None:
    """The device that is asked for; None for the processor. With "cuda" a warning says why there is none."""
    if asked == "cpu":
        return None
    device, reason = _cuda()
    if device is None and asked == "cuda":
        warn_caller(f"device='cuda': {reason}; the processor does the work")
    return device


@cache
def _cuda() -> tuple[Device | None, str]:
    """The first GPU, or why there is none."""
    try:
        import cupy
    except ImportError:
        return None, "CuPy is not installed: pip install 'cotopics[gpu]', or the cupy package of your CUDA version"
    try:
        if cupy.cuda.runtime.getDeviceCount() < 1:
            return None, "CUDA sees no GPU"
        name = cupy.cuda.runtime.getDeviceProperties(cupy.cuda.Device().id)["name"].decode()
        ones = cupy.ones((2, 2))
        float((ones @ ones).sum() + cupy.argsort(ones[0]).sum())  # what is compiled, and what libraries do
    except Exception as error:  # libraries that are missing or do not fit say so in many ways
        return None, f"CUDA does not work here ({str(error).partition(chr(10))[0]:.200})"
    from cotopics.gpu.kernels import CudaKernels

    return Device(f"cuda: {name}", cupy, CudaKernels(cupy)), ""


def check_room(device: Device, nbytes: int, what: str) -> None:
    """A DeviceError before work that takes more memory than the device has."""
    free = free_bytes(device)
    if nbytes > free:
        raise DeviceError(
            f"{what} needs about {nbytes / 2**30:.1f} GiB on {device.name}, and {free / 2**30:.1f} GiB are free: use "
            f"device='cpu', fewer topics or words, or about {max(int(100 * free / nbytes), 1)} % of the documents"
        )


@contextmanager
def room_on(device: Device, what: str) -> Iterator[None]:
    """Inside, running out of the device's memory is a DeviceError."""
    out_of_memory = getattr(getattr(getattr(device.xp, "cuda", None), "memory", None), "OutOfMemoryError", MemoryError)
    try:
        yield
    except out_of_memory as error:
        raise DeviceError(
            f"{what} ran out of memory on {device.name}: use device='cpu', fewer topics or words, or fewer documents"
        ) from error


def free_bytes(device: Device) -> float:
    """Bytes that can still be had on the device, those that its pool keeps for later included."""
    if not hasattr(device.xp, "cuda"):
        return np.inf
    free, _ = device.xp.cuda.runtime.memGetInfo()
    return float(free + device.xp.get_default_memory_pool().free_bytes())
