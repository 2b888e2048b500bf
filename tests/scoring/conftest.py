"""A small language model behind a server, one for each file of tests."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from .language_server import LanguageModel


@pytest.fixture(scope="module")
def language_model() -> LanguageModel:
    from .language_server import LanguageModel

    return LanguageModel()


@pytest.fixture(scope="module")
def address(language_model: LanguageModel) -> Iterator[str]:
    from .language_server import application, serving

    with serving(application(language_model)) as url:
        yield url
