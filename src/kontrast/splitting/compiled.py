"""Compiling the inner loops: numba where it is installed, kept between runs wherever there is a place to write."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from kontrast.errors import MissingExtraError

__all__ = ["compiled"]

Function = TypeVar("Function", bound=Callable[..., Any])


def compiled(function: Function) -> Function:
    """Compile at the first call, without the global lock, cached beside the module or in the user's cache folder."""
    try:
        import numba
    except ImportError as error:
        raise MissingExtraError("split", "counting and splitting a corpus") from error
    options: dict[str, Any] = {"nogil": True, "error_model": "numpy"}
    try:
        return numba.njit(cache=True, **options)(function)  # type: ignore[no-any-return]
    except RuntimeError:  # no writable place for the cache: compile in every process
        return numba.njit(**options)(function)  # type: ignore[no-any-return]
