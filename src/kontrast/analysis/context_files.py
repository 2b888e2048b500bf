"""May these score files be compared as one system with, without and with the wrong context?"""

from collections.abc import Collection
from pathlib import Path

from kontrast.errors import KontrastError
from kontrast.judging.signatures import check_suite
from kontrast.suites.model import Scores, Suite

_CONTROLS = ("random", "shuffled", "other-document")


def check_files(
    suite: Suite,
    without: Scores,
    given: Scores,
    control: Scores | None,
    *,
    sentences: bool = False,
    allow: Collection[str] = (),
    names: tuple[str, str, str] | None = None,
) -> tuple[str, ...]:
    """Refuse files that do not belong together; notes on what cannot be checked."""
    parts = [without, given, *([control] if control is not None else [])]
    called = [*(names or ("--without", "--with", "--control"))][: len(parts)]
    for scores, name in zip(parts, called, strict=True):
        try:
            check_suite(suite, scores, allow)
        except KontrastError as error:
            raise KontrastError(f"{name}: {error}") from None
        if scores.tokens is None and not sentences:
            raise KontrastError(
                f"{name} has no log-probabilities of tokens: score with an engine that gives them and keep the file "
                f"{Path(name).name}.tokens.jsonl.gz beside it, or use --sentences for whole sentences only"
            )
        if not scores.lower_is_better:
            raise KontrastError(
                f"{name}: expected negative log-probabilities (lower is better), as score writes them"
            )
    _check_models(parts, called, allow)
    return _check_contexts(parts, called)


def _check_models(parts: list[Scores], called: list[str], allow: Collection[str]) -> None:
    if "model" in allow:
        return
    for scores, name in zip(parts[1:], called[1:], strict=True):
        one, other = parts[0].signature, scores.signature
        if one is None or other is None:
            continue
        compared = [("engine", one.engine, other.engine), ("model", one.model, other.model)]
        keys = ("weights", "dtype", "softmax", "template", "prompt")
        compared += [(key, one.details.get(key), other.details.get(key)) for key in keys]
        for part, a, b in compared:
            if a != b:
                raise KontrastError(
                    f"{called[0]} and {name} differ in {part} ({a} and {b}): expected one model with and without "
                    "context; use --allow model to compare two models"
                )


def _check_contexts(parts: list[Scores], called: list[str]) -> tuple[str, ...]:
    unsigned = [name for scores, name in zip(parts, called, strict=True) if scores.signature is None]
    if unsigned:
        named = ", ".join(unsigned)
        return (f"{named}: no signature, so model and context cannot be checked",)
    contexts = [scores.signature.context.split(",") for scores in parts if scores.signature is not None]
    if contexts[0] != ["none"]:
        raise KontrastError(f"{called[0]}: expected scores without context, found context {','.join(contexts[0])}")
    if contexts[1] == ["none"]:
        raise KontrastError(f"{called[1]}: expected scores with context, found none: score with --context prev:N")
    if is_control(",".join(contexts[1])):
        raise KontrastError(
            f"{called[1]}: was scored with a control context ({','.join(contexts[1])}); give it as --control"
        )
    if len(contexts) > 2:
        if not is_control(",".join(contexts[2])):
            raise KontrastError(f"{called[2]}: expected a control, found context {','.join(contexts[2])}: score with "
                                "--control random")  # fmt: skip
        own = without_control(",".join(contexts[2])).split(",")
        if own != contexts[1]:
            raise KontrastError(
                f"{called[1]} and {called[2]} differ in context ({','.join(contexts[1])} and {','.join(own)}): "
                "expected a control of the same length, side and scheme"
            )
    return ()


def is_control(context: str) -> bool:
    """Whether a signature's context is a wrong one."""
    return context != without_control(context)


def without_control(context: str) -> str:
    """The context that a control stands for."""
    return ",".join(part for part in context.split(",") if not part.startswith(_CONTROLS))
