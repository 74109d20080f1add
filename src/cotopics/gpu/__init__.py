"""The recommended fit on a GPU: documents in memory whose work is done there, by CuPy and kernels of our own.

`device.py` finds a GPU, `matrices.py` has the counts there, by document and by word, and `kernels.py` what is done
with them (`sources.py` is its CUDA C). `tokens.py`, `shares.py`, `one_topic.py` and `weights.py` are the steps of a
fit; `documents.py` lists which function for the processor each stands for. Nothing here is imported unless a GPU is
asked for.
"""

from cotopics.gpu.device import find_device
from cotopics.gpu.documents import OnDevice
from cotopics.gpu.inference import infer_on

__all__ = ["OnDevice", "find_device", "infer_on"]
