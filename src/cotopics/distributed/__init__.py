"""Documents on a cluster: the same fit where one machine is not enough, on Dask (docs/scaling.md).

Everything here is one map over partitions and one sum in the order of their numbers. Dask moves, retries and spills.
"""

try:
    import dask.distributed  # noqa: F401
except ImportError:  # one line, whoever asks first
    from cotopics.errors import ParameterError

    raise ParameterError("documents on a cluster need Dask:  pip install 'cotopics[dask]'") from None

from cotopics.distributed.cluster import connected
from cotopics.distributed.files import transform_files
from cotopics.distributed.inputs import as_partitions, open_partitions
from cotopics.distributed.likelihood import held_out_likelihood
from cotopics.distributed.partitions import Partitions
from cotopics.distributed.transform import transform

__all__ = [
    "Partitions",
    "as_partitions",
    "connected",
    "held_out_likelihood",
    "open_partitions",
    "transform",
    "transform_files",
]
