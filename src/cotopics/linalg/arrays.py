"""The type that annotations use for an array of double-precision numbers."""

from typing import Any

import numpy as np

Array = np.ndarray[Any, np.dtype[np.float64]]
