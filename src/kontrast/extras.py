"""Libraries of extras under their own names: imported at first use, with an error that names the extra."""

from __future__ import annotations

import importlib
from typing import Any

from kontrast.errors import MissingExtraError


class Library:
    """Stands for a module until something of it is asked for; ``purpose`` is what needs it.

    >>> Library("json", "hf", "reading").loads("1")
    1
    >>> Library("no_such_module", "hf", "reading").loads  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    kontrast.errors.MissingExtraError: reading needs an extra: ...
    """

    def __init__(self, module: str, extra: str, purpose: str) -> None:
        self._asked = (module, extra, purpose)

    def __getattr__(self, name: str) -> Any:
        if name == "__wrapped__":  # asked of anything by those who look for functions
            raise AttributeError(name)
        module, extra, purpose = self._asked
        try:
            library = importlib.import_module(module)
        except ImportError as error:
            raise MissingExtraError(extra, purpose) from error
        found = self.__dict__[name] = getattr(library, name)
        return found


torch = Library("torch", "hf", "scoring with Transformers models")
transformers = Library("transformers", "hf", "scoring with Transformers models")
sentencepiece = Library("sentencepiece", "ct2", "reading a SentencePiece model")
ctranslate2 = Library("ctranslate2", "ct2", "scoring with CTranslate2 models")
httpx = Library("httpx", "api", "scoring with an OpenAI-compatible server")
pymarian = Library("pymarian", "marian", "COMET in Marian's format")
systran_align = Library("systran_align", "build", "aligning words with fast_align")
simplemma = Library("simplemma", "build", "reading a dictionary")
altair = Library("altair", "report", "drawing figures")
vl_convert = Library("vl_convert", "report", "drawing figures")
jinja2 = Library("jinja2", "report", "writing an HTML report")
pandas = Library("pandas", "pandas", "a data frame")
