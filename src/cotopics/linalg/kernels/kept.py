"""Compiled code kept on disk, so that only the first process on a machine compiles.

numba writes and reads the files; what it reads becomes code. So they are in a folder that only its user may write to,
what is in them is compared with a checksum, and a file that is damaged, missing or cannot be written costs a
compilation and nothing else.
"""

from __future__ import annotations

import os
import pickle
from collections.abc import Callable
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any

from numba.core import config as numba_config
from numba.core.caching import CompileResultCacheImpl, FunctionCache
from numba.misc.appdirs import AppDirs

config: Any = numba_config  # its attributes are set at run time


class Folder:
    """Where the code of a function is kept; numba asks for one as its "locator"."""

    def __init__(self, path: Path, module: str) -> None:
        self.path, self.module = path, module

    @classmethod
    def from_function(cls, function: Callable[..., Any], source: str) -> Folder | None:
        path = private_folder()
        return None if path is None else cls(path, function.__module__)

    def get_cache_path(self) -> str:
        return str(self.path)

    def ensure_cache_path(self) -> None:
        self.path.mkdir(mode=0o700, exist_ok=True)

    def get_source_stamp(self) -> str:
        return version_of_kernels()

    def get_disambiguator(self) -> str:
        return self.module  # numba adds the name of the file alone, and several rooms have a kernels.py


class CheckedCode(CompileResultCacheImpl):
    """Compiled code as bytes with their checksum: code that was damaged would not be an error, but anything at all."""

    _locator_classes: Any = (Folder,)

    def reduce(self, compiled: Any) -> tuple[bytes, bytes]:
        code = pickle.dumps(super().reduce(compiled), protocol=-1)
        return sha256(code).digest(), code

    def rebuild(self, target: Any, kept: tuple[bytes, bytes]) -> Any:
        checksum, code = kept
        if sha256(code).digest() != checksum:
            raise ValueError("the checksum of compiled code does not fit")
        return super().rebuild(target, pickle.loads(code))


class KeptCode(FunctionCache):
    """numba's cache of one function, which compiles anew where its files cannot be used."""

    _impl_class = CheckedCode

    @classmethod
    def of(cls, function: Callable[..., Any]) -> KeptCode | None:
        """None where there is no folder for it: every process then compiles for itself."""
        return None if private_folder() is None else cls(function)

    def load_overload(self, signature: Any, target: Any) -> Any:
        try:
            return super().load_overload(signature, target)
        except Exception:  # damaged bytes can raise whatever they spell
            self._try(self.flush)
            return None

    def save_overload(self, signature: Any, compiled: Any) -> None:
        self._try(lambda: super(KeptCode, self).save_overload(signature, compiled))

    @staticmethod
    def _try(write: Callable[[], None]) -> None:
        try:
            write()
        except Exception:  # a full disk, a damaged index that cannot be replaced: the code runs, it is only not kept
            return


@cache
def private_folder() -> Path | None:
    """The folder of compiled code for these sources, made if needed; None where none is the user's own.

    numba knows by itself for which processor and which of its own versions code is.
    """
    base = Path(config.CACHE_DIR or AppDirs(appname="cotopics", appauthor=False).user_cache_dir)
    path = base / f"cotopics-kernels-{version_of_kernels()}"
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
def version_of_kernels() -> str:
    """A short name of the sources of all kernels as they are: what one calls may stand in another file."""
    return sha256(b"\0".join(path.read_bytes() for path in sources())).hexdigest()[:12]


def sources() -> list[Path]:
    """The files that kernels are written in: those of this folder, and `kernels.py` of every room."""
    folder = Path(__file__).parent
    return [*sorted(folder.glob("*.py")), *sorted(folder.parents[1].glob("*/kernels.py"))]
