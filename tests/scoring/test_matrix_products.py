"""The multiplication that most of the time goes into: the same numbers, whoever does it."""

from __future__ import annotations

import pytest
import torch

from kontrast.scoring.engines.transformer import matrix_products
from kontrast.scoring.engines.transformer.matrix_products import linear, linear_onto, linears_by_onednn, multiplied_by


@pytest.mark.parametrize("worth", [1, 1 << 60])
@pytest.mark.parametrize("biased", [True, False])
@torch.no_grad()
def test_the_same_numbers(worth: int, biased: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """With oneDNN and without, also of a slice of the weight and of rows in three dimensions."""
    monkeypatch.setattr(matrix_products, "WORTH", worth)
    rows, weight, residual = torch.randn(70, 48), torch.randn(96, 48), torch.randn(70, 32)
    bias = torch.randn(32) if biased else None
    part = weight[64:]
    expected = torch.nn.functional.linear(rows, part, bias)
    torch.testing.assert_close(linear(rows, part, bias), expected)
    torch.testing.assert_close(linear(rows[None], part, bias), expected[None])
    torch.testing.assert_close(linear_onto(residual, rows, part, bias), expected + residual)
    assert linear(rows.double(), part.double()).dtype == torch.float64
    assert linear(rows[:0], part, bias).shape == (0, 32)


@torch.no_grad()
def test_layers_of_a_model(monkeypatch: pytest.MonkeyPatch) -> None:
    """Within the context a model's own layers use it, and behind it no longer."""
    monkeypatch.setattr(matrix_products, "WORTH", 1)
    asked: list[int] = []
    real = matrix_products._onednn() or (
        lambda rows, weight, bias, *_: torch.nn.functional.linear(rows, weight, bias)
    )
    monkeypatch.setattr(matrix_products, "_onednn", lambda: lambda *given: asked.append(1) or real(*given))
    layer, rows = torch.nn.Linear(48, 32), torch.randn(1, 70, 48)
    expected = layer(rows)
    with linears_by_onednn():
        torch.testing.assert_close(layer(rows), expected)
    layer(rows)
    assert len(asked) == 1


def test_where_gradients_are_wanted() -> None:
    """Whoever trains through the layers gets PyTorch's own multiplication, which has a gradient."""
    layer = torch.nn.Linear(512, 512)
    with linears_by_onednn():
        layer(torch.randn(256, 512)).sum().backward()
    assert layer.weight.grad is not None


def test_the_fingerprint_says_who_multiplies(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(matrix_products, "_onednn", lambda: torch.nn.functional.linear)
    assert multiplied_by("cpu", torch.float32) == {"linear": "onednn"}
    assert multiplied_by("cuda:0", torch.float32) == multiplied_by("cpu", torch.bfloat16) == {}
    monkeypatch.setattr(matrix_products, "_onednn", lambda: None)
    assert multiplied_by("cpu", torch.float32) == {}
