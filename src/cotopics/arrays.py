"""The types of arrays that annotations name, defined once."""

from typing import Any

import numpy as np

Array = np.ndarray[Any, np.dtype[np.float64]]
WordIds = np.ndarray[Any, np.dtype[np.int64]]  # columns of the counts, rows of C
Integers = np.ndarray[Any, np.dtype[np.integer[Any]]]
AnyArray = np.ndarray[Any, Any]
