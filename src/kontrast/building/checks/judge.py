"""How likely a foil is what it should be, by named features: a logistic model, learnt by ``training/judge.py``.

The models are in ``data/models/NAME.json``, one for each language or pair: plain numbers to read and compare.
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Mapping
from functools import lru_cache
from importlib import resources

import msgspec

__all__ = ["ALWAYS", "FoilJudge", "digest_of_judges", "error_judge", "load_judges"]

ALWAYS = "always"
"""A feature of every foil: its weight is where a judge starts."""

_COUNTS = 0.2
"""What lowers the log odds by less is no reason."""


class FoilJudge(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Weights by the names of features, their means where it was learnt, and on what that was.

    >>> judge = FoilJudge("two foils", {"always": 1.0, "other_mention_stays": -3.0}, {"always": 1.0})
    >>> round(judge.confidence({"always": 1.0, "other_mention_stays": 1.0}), 2)
    0.12
    >>> judge.reasons({"always": 1.0, "other_mention_stays": 1.0})
    ['other_mention_stays']
    """

    learnt_from: str
    weights: dict[str, float] = {}
    means: dict[str, float] = {}

    @property
    def digest(self) -> str:
        """Of all that decides."""
        return hashlib.blake2b(msgspec.json.encode(self), digest_size=4).hexdigest()

    def confidence(self, features: Mapping[str, float]) -> float:
        """How likely; a feature without a weight says nothing."""
        odds = math.fsum(self.weights.get(name, 0.0) * value for name, value in features.items())
        return 1 / (1 + math.exp(-max(min(odds, 30.0), -30.0)))

    def reasons(self, features: Mapping[str, float], most: int = 3) -> list[str]:
        """The features that speak against it most, beside what is usual."""
        lowered = {
            name: weight * (features.get(name, 0.0) - self.means.get(name, 0.0))
            for name, weight in self.weights.items()
            if features.get(name)
        }
        against = sorted((value, name) for name, value in lowered.items() if value < -_COUNTS)
        return [name for _, name in against[:most]]


@lru_cache(maxsize=8)
def load_judges(name: str) -> dict[str, FoilJudge]:
    """The judges of a file, by pair or type of error; none where there is no such file.

    >>> sorted(load_judges("pronouns")), load_judges("errors.xx")
    (['en-de', 'en-es', 'en-fr', 'en-it'], {})
    """
    path = resources.files("kontrast").joinpath("data", "models", f"{name}.json")
    return msgspec.json.decode(path.read_bytes(), type=dict[str, FoilJudge]) if path.is_file() else {}


def digest_of_judges(name: str) -> str | None:
    """Changes with whatever changes a confidence; None where nothing was learnt."""
    found = load_judges(name)
    return hashlib.blake2b(msgspec.json.encode(found, order="sorted"), digest_size=4).hexdigest() if found else None


_WRONG_ANYWHERE = (
    "own:doubtful",
    "text:markup",
    "text:english",
    "text:misspelt",
    "text:doubled",
    "text:disagreeing",
    "foil:unbalanced",
    "foil:double_stop",
    "foil:misformed",
)
_UNLEARNT = FoilJudge("nothing", {ALWAYS: 2.2, **dict.fromkeys(_WRONG_ANYWHERE, -4.0)})
"""For types that nothing was learnt for: what is wrong in any language, and what the error itself says."""


@lru_cache(maxsize=256)
def error_judge(language: str, type: str) -> FoilJudge:
    """The judge of a type of error.

    >>> round(error_judge("xx", "number").confidence({ALWAYS: 1.0}), 2)
    0.9
    """
    return load_judges(f"errors.{language}").get(type, _UNLEARNT)
