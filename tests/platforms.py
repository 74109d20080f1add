"""What only some systems have. Tests that need it are skipped elsewhere, with a word on what is missing."""

import os
import sys
from pathlib import Path

import pytest


def needs(is_there, what):
    return pytest.mark.skipif(not is_there, reason=f"this system has no {what}")


UNIX = os.name == "posix"
needs_links = needs(UNIX, "symbolic links that every user may make")
needs_permissions = needs(UNIX, "permissions of owner, group and others")
needs_any_name = needs(UNIX, "file names of any characters and of 255 bytes")
needs_any_bytes = needs(sys.platform == "linux", "file names that are not UTF-8")
needs_limits = needs(UNIX, "limits on what a process may write")
needs_signals = needs(UNIX, "signals by which one process stops another at any moment")
needs_scripts = needs(UNIX, "scripts that are run by their first line")
needs_inherited_files = needs(UNIX, "open files that a child inherits by their numbers")
needs_file_locks = needs(UNIX, "locks that end with their process")  # persistence/beside.py uses them
needs_pipes = needs(hasattr(os, "mkfifo"), "named pipes")
needs_fork = needs(hasattr(os, "fork") and sys.platform != "darwin", "fork that is safe once there were threads")
needs_full_device = needs(Path("/dev/full").exists(), "/dev/full, a disk that is always full")
needs_proc = needs(Path("/proc/self/status").exists(), "/proc, which tells the memory of a process")
