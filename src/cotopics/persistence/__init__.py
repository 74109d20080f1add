"""Files that last: arrays and a JSON manifest, nothing that runs. docs/file-format.md has the bytes.

Every file of cotopics is a safetensors file whose metadata entry "cotopics" has a first line `KIND VERSION SHA256` and
then the manifest. The checksum covers the manifest, and that has the type, shape and checksum of every array, so damage
anywhere is noticed, and what a large file holds is known without reading all of it. Models, statistics of
documents and corpora are written and read in the same way; what a record of one kind holds is up to those who make it.
"""

from cotopics.persistence.beside import write_beside, written_beside
from cotopics.persistence.columns import check_arrays, check_offsets, check_rows, check_texts, pack_texts, unpack_texts
from cotopics.persistence.layout import VERSION, Source, source_of
from cotopics.persistence.lock import changing
from cotopics.persistence.plain import from_json, plain, to_json
from cotopics.persistence.record import (
    CORPUS,
    KINDS,
    MODEL,
    STATISTICS,
    Record,
    about,
    read_record,
    write_record,
    write_sources,
)
from cotopics.persistence.regular import is_there, open_regular

__all__ = [
    "CORPUS",
    "KINDS",
    "MODEL",
    "STATISTICS",
    "VERSION",
    "Record",
    "Source",
    "about",
    "changing",
    "check_arrays",
    "check_offsets",
    "check_rows",
    "check_texts",
    "from_json",
    "is_there",
    "open_regular",
    "pack_texts",
    "plain",
    "read_record",
    "source_of",
    "to_json",
    "unpack_texts",
    "write_beside",
    "write_record",
    "write_sources",
    "written_beside",
]
