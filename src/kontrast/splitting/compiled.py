"""Compiling the inner loops: numba where it is installed, kept between runs wherever there is a place to write."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import numpy as np

from kontrast.errors import MissingExtraError

__all__ = ["compiled", "inlined", "readonly"]

Function = TypeVar("Function", bound=Callable[..., Any])


def inlined(function: Function) -> Function:
    """Compile into its callers: for a part of a loop that takes many arrays, which are costly to pass."""
    return _compile(function, inline="always")


def compiled(function: Function) -> Function:
    """Compile at the first call, without the global lock, cached beside the module or in the user's cache folder."""
    return _compile(function)


def _compile(function: Function, **more: Any) -> Function:
    try:
        import numba
    except ImportError as error:
        raise MissingExtraError("split", "counting and splitting a corpus") from error
    options: dict[str, Any] = {"nogil": True, "error_model": "numpy", **more}
    try:
        return numba.njit(cache=True, **options)(function)  # type: ignore[no-any-return]
    except RuntimeError:  # no writable place for the cache: compile in every process
        return numba.njit(**options)(function)  # type: ignore[no-any-return]


def readonly(array: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """A plain view that cannot be written, so that mapped files and arrays are one type to the compiler."""
    view = np.asarray(array).view()
    view.flags.writeable = False
    return view
