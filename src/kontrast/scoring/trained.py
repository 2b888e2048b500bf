"""What a model's folder says about how it was trained: ``"kontrast": {"scheme": "sep"}`` in its ``config.json``."""

from __future__ import annotations

from pathlib import Path

import msgspec

from kontrast.errors import InputError
from kontrast.io.json_input import read_json
from kontrast.scoring.context import Context
from kontrast.scoring.engines.hf import TINY
from kontrast.scoring.schemes import SCHEMES, Scheme


class _Kontrast(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    scheme: str | Scheme | None = None


class _Config(msgspec.Struct, frozen=True):
    kontrast: _Kontrast = _Kontrast()


def with_trained_scheme(context: Context, model: str | None) -> Context:
    """The context joined as the model of ``ENGINE:NAME`` was trained, unless the user named a scheme.

    >>> from kontrast.suites.documents import ContextSpan
    >>> str(with_trained_scheme(Context(span=ContextSpan(previous=1)), "tiny"))
    'prev:1,both,sep'
    """
    path = _config(model) if model is not None and context.open_scheme else None
    if path is None or not path.is_file():
        return context
    said = read_json(path, _Config, expected='JSON with "kontrast": {"scheme": …}').kontrast.scheme
    if isinstance(said, str) and said not in SCHEMES:
        raise InputError(path, f'"scheme": "{said}": expected one of {", ".join(SCHEMES)}, or a table')
    if said is None:
        return context
    name, scheme = (said, SCHEMES[said]) if isinstance(said, str) else ("trained", said)
    return msgspec.structs.replace(context, scheme=scheme, scheme_name=name)


def _config(model: str) -> Path | None:
    engine, _, name = ("hf:kontrast-tiny" if model == "tiny" else model).partition(":")
    if engine == "hf" and name == TINY.name:
        return TINY / "config.json"
    if engine not in ("hf", "ct2", "marian"):
        return None
    return (Path(name).parent if engine == "marian" else Path(name)) / "config.json"
