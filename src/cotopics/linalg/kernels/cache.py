"""Compiled code on disk, so that only the first process on a machine compiles.

numba writes and reads the files, and runs what it reads. So they are in a folder that only the user may write to, and
their content has a checksum. If a file is damaged or missing or cannot be written, the kernel is compiled again.

The name of the folder has a digest of the sources of all kernels. numba itself looks at one source file only, and would
go on using an old copy of a function from another file.
"""

from __future__ import annotations

import os
import pickle
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any

from numba.core import config as numba_config
from numba.core.caching import CompileResultCacheImpl, FunctionCache
from numba.misc.appdirs import AppDirs

config: Any = numba_config  # its attributes are set at run time


class CacheFolder:
    """The folder for the code of a function. numba calls this a "locator"."""

    def __init__(self, path: Path, module: str) -> None:
        self.path, self.module = path, module

    @classmethod
    def from_function(cls, function: Callable[..., Any], source: str) -> CacheFolder | None:
        path = private_folder()
        return None if path is None else cls(path, function.__module__)

    def get_cache_path(self) -> str:
        return str(self.path)

    def ensure_cache_path(self) -> None:
        self.path.mkdir(mode=0o700, exist_ok=True)

    def get_source_stamp(self) -> str:
        return digest_of_sources()

    def get_disambiguator(self) -> str:
        return self.module  # numba adds the name of the file only, and several rooms have a kernels.py


class CodeWithChecksum(CompileResultCacheImpl):
    """Compiled code as bytes with a checksum. Without it, damaged code would run and could do anything."""

    _locator_classes: Any = (CacheFolder,)

    def reduce(self, compiled: Any) -> tuple[bytes, bytes]:
        code = pickle.dumps(super().reduce(compiled), protocol=-1)
        return sha256(code).digest(), code

    def rebuild(self, target: Any, saved: tuple[bytes, bytes]) -> Any:
        checksum, code = saved
        if sha256(code).digest() != checksum:
            raise ValueError("the checksum of compiled code is wrong")
        return super().rebuild(target, pickle.loads(code))


class KernelCache(FunctionCache):
    """numba's cache of one function. If its files cannot be used, the function is compiled again."""

    _impl_class = CodeWithChecksum

    @classmethod
    def of(cls, function: Callable[..., Any]) -> KernelCache | None:
        """None if there is no folder for it; then every process compiles for itself."""
        return None if private_folder() is None else cls(function)

    def load_overload(self, signature: Any, target: Any) -> Any:
        try:
            return super().load_overload(signature, target)
        except Exception:  # damaged bytes can raise anything
            self._ignore_errors(self.flush)
            return None

    def save_overload(self, signature: Any, compiled: Any) -> None:
        self._ignore_errors(lambda: super(KernelCache, self).save_overload(signature, compiled))

    @staticmethod
    def _ignore_errors(write: Callable[[], None]) -> None:
        with suppress(Exception):  # a full disk, a damaged index: the code runs, it is only not saved
            write()


@cache
def private_folder() -> Path | None:
    """The folder of compiled code for these sources, created if needed; None if it does not belong to the user.

    numba itself checks the processor and its own version.
    """
    base = Path(config.CACHE_DIR or AppDirs(appname="cotopics", appauthor=False).user_cache_dir)
    path = base / f"cotopics-kernels-{digest_of_sources()}"
    try:
        path.mkdir(mode=0o700, parents=True, exist_ok=True)
        if os.name == "posix":
            if path.stat().st_uid != os.getuid():
                return None
            path.chmod(0o700)
    except OSError:
        return None
    return path


@cache
def digest_of_sources() -> str:
    """A short digest of the sources of all kernels: a kernel may call one from another file."""
    return sha256(b"\0".join(path.read_bytes() for path in kernel_sources())).hexdigest()[:12]


def kernel_sources() -> list[Path]:
    """The files with kernels: those of this folder, and the `kernels.py` of every room."""
    folder = Path(__file__).parent
    return [*sorted(folder.glob("*.py")), *sorted(folder.parents[1].glob("*/kernels.py"))]
