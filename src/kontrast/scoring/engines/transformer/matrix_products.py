"""Rows times a weight: what nearly all of the time goes into.

On a processor PyTorch leaves single precision to MKL. For a thousand rows oneDNN, which comes with it too, is about a
tenth faster on the processors that this was measured on, and adds the bias on the way. The weight stays as it is.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

from kontrast.extras import torch

Tensor = Any
WORTH = 1 << 25
"""From so many products on: oneDNN makes code for each new number of rows, which takes it up to a millisecond."""


def linear(rows: Tensor, weight: Tensor, bias: Tensor | None = None) -> Tensor:
    """``rows`` (… × in) times ``weight`` (out × in), plus the bias."""
    multiply = _onednn()
    if multiply is None or not _suits(rows, weight):
        return torch.nn.functional.linear(rows, weight, bias)
    return multiply(rows, weight, bias, "none", [], "")


def linear_onto(residual: Tensor, rows: Tensor, weight: Tensor, bias: Tensor | None = None) -> Tensor:
    """The same, added to a residual."""
    if _onednn() is not None and _suits(rows, weight):
        return linear(rows, weight, bias).add_(residual)
    total = residual.clone() if bias is None else residual + bias
    return total.addmm_(rows, weight.t())


def linears_by_onednn() -> Any:
    """A context in which the linear layers of any model are those of `linear`."""
    from torch.overrides import TorchFunctionMode

    plain = torch.nn.functional.linear

    class Mode(TorchFunctionMode):  # type: ignore[misc]  # PyTorch is not typed here
        def __torch_function__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
            return (linear if func is plain else func)(*args, **(kwargs or {}))

    return Mode()


def multiplied_by(device: str, dtype: Any) -> dict[str, str]:
    """For the fingerprint: who multiplies, where it is not PyTorch itself, as the last digits differ."""
    ours = device.partition(":")[0] == "cpu" and dtype == torch.float32 and _onednn() is not None
    return {"linear": "onednn"} if ours else {}


def _suits(rows: Tensor, weight: Tensor) -> bool:
    """Plain matrices in single precision on the processor, and enough of them."""
    plain = type(weight) in (torch.Tensor, torch.nn.Parameter) and rows.is_cpu and weight.is_cpu
    return (
        plain
        and rows.dtype == weight.dtype == torch.float32
        and not torch.is_grad_enabled()
        and rows.numel() * weight.shape[0] >= WORTH
    )


@cache
def _onednn() -> Callable[..., Tensor] | None:
    """Its multiplication, where this PyTorch has one: its name is not a promise."""
    if not torch.backends.mkldnn.is_available():
        return None
    return getattr(torch.ops.mkldnn, "_linear_pointwise", None)
