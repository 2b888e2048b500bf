"""May these numbers stand side by side? Names the part of the signatures that forbids it."""

from collections.abc import Collection, Sequence

from kontrast.errors import KontrastError
from kontrast.judging.written import Written
from kontrast.suites.model import Scores, Signature, Suite


def check_suite(suite: Suite, scores: Scores, allow: Collection[str] | None = None) -> None:
    """Were these scores made on this very suite, as far as their signature says?"""
    check_made_on(suite, scores.system, scores.signature, "scored", allow)


def check_made_on(
    suite: Suite, system: str, signature: Signature | None, how: str, allow: Collection[str] | None
) -> None:
    """The same of anything that has a signature; ``how`` it was made: scored, translated.

    ``allow`` is what the caller's option of this name says, and None where it has no such option.
    """
    if "suite" in (allow or ()) or not (other := _made_on_another(suite, system, signature, how)):
        return
    cure = "repeat it on this suite" + (", or use --allow suite" if allow is not None else "")
    raise KontrastError(f"{other}: it has other items or another order; {cure}")


def made_elsewhere(suite: Suite, scores: Scores) -> tuple[str, ...]:
    """A note where ``allow`` has let scores of another version of the suite pass."""
    other = _made_on_another(suite, scores.system, scores.signature, "scored")
    return (f"{other}; changed items keep their old scores",) if other else ()


def _made_on_another(suite: Suite, system: str, signature: Signature | None, how: str) -> str:
    if signature is None or signature.fingerprint is None or signature.fingerprint == suite.fingerprint:
        return ""
    return (
        f"{system} was {how} on {signature.suite or 'another suite'} (hash {signature.fingerprint[:8]}), "
        f"not on {suite.name} in its present form (hash {suite.fingerprint[:8]})"
    )


def check_comparable(suite: Suite, systems: Sequence[Scores], allow: Collection[str] = ()) -> tuple[str, ...]:
    """Refuse systems whose signatures differ in what matters; return the other parts in which they differ."""
    for scores in systems:
        check_suite(suite, scores, allow)
    scored = [scores for scores in systems if not isinstance(scores, Written)]  # words have no direction
    for first, other in ((scored[0], other) for other in scored[1:]):
        for part, a, b in (
            ("normalise", _normalise(first), _normalise(other)),
            ("direction", _direction(first), _direction(other)),
        ):
            if part not in allow and a is not None and b is not None and a != b:
                raise KontrastError(
                    f"{first.system} and {other.system} differ in {part}: {a} against {b}; "
                    f"use the same for both, or --allow {part}"
                )
    return differing_parts(systems)


def differing_parts(systems: Sequence[Scores]) -> tuple[str, ...]:
    """The parts of their signatures, but for the suite, in which systems differ."""
    parts = [_parts(scores) for scores in systems]
    names = {name: None for part in parts for name in part}
    return tuple(name for name in names if len({part.get(name) for part in parts}) > 1)


def _normalise(scores: Scores) -> str | None:
    return scores.signature.normalise if scores.signature else None


def _direction(scores: Scores) -> str:
    return "lower is better" if scores.lower_is_better else "higher is better"


def _parts(scores: Scores) -> dict[str, str | None]:
    signature = scores.signature
    if signature is None:
        return {}
    return {
        "engine": signature.engine,
        "model": signature.model,
        "context": signature.context,
        **signature.details,
        "kontrast": signature.version,
    }
