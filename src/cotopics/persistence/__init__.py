"""Files of arrays and a JSON manifest, nothing that runs. docs/file-format.md describes the bytes.

Every file of cotopics is a safetensors file whose metadata entry "cotopics" has a first line `KIND VERSION SHA256` and
then the manifest. The checksum covers the manifest, which has the type, shape and checksum of every array. So damage
anywhere is noticed, and the content of a large file is known without reading all of it.

This package knows nothing of models: a file holds a record of arrays and JSON. Whoever has something to keep says how
it becomes a record, and how it comes back: models/state.py, cooccur/statistics_file.py, corpus/corpus_file.py. So
reading a file needs no model, and `model.save` imports nothing from above.
"""

from cotopics.persistence.atomic import atomic_writer, changing, write_atomically
from cotopics.persistence.layout import VERSION, Source, source_of
from cotopics.persistence.record import (
    CORPUS,
    KINDS,
    MODEL,
    STATISTICS,
    Record,
    errors_about,
    read_record,
    write_record,
    write_sources,
)
from cotopics.persistence.regular import is_there, open_regular
from cotopics.persistence.values import (
    check_arrays,
    check_rows,
    check_texts,
    from_json,
    pack_texts,
    plain,
    to_json,
    unpack_texts,
)

__all__ = [
    "CORPUS", "KINDS", "MODEL", "STATISTICS", "VERSION", "Record", "Source", "atomic_writer", "changing",
    "check_arrays", "check_rows", "check_texts", "errors_about", "from_json", "is_there", "open_regular", "pack_texts",
    "plain", "read_record", "source_of", "to_json", "unpack_texts", "write_atomically", "write_record", "write_sources",
]  # fmt: skip
