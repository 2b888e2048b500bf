"""The two kinds of arrays that judging works on."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

__all__ = ["Floats", "Ints"]

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]
