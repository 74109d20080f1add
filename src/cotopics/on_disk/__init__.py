"""Documents larger than memory: counts packed into a scratch file, and the same fit from there (docs/streams.md).

Everything here is one loop over pieces: one is read, worked on and dropped before the next. Scratch files have no name,
so nothing is left of them when the process ends, however it ends.
"""

from cotopics.on_disk.documents import OnDisk, as_stream, is_stream, pack

__all__ = ["OnDisk", "as_stream", "is_stream", "pack"]
