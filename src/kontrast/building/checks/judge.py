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

ALWAYS = "always"
"""A feature of every foil: its weight is where a judge starts."""

DOUBT = -4.0
START = 2.2
"""Where a type starts that nobody has read: a confidence of 0.9."""
DOUBTS = ("own.doubt.", "foil.")
"""What the names of doubts and of flaws in a foil begin with, and their weight where nothing was learnt."""

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
        """How likely; a feature without a weight says nothing, but for a doubt."""
        odds = math.fsum(self._weight(name) * value for name, value in features.items())
        return 1 / (1 + math.exp(-max(min(odds, 30.0), -30.0)))

    def _weight(self, name: str) -> float:
        return self.weights.get(name, DOUBT if name.startswith(DOUBTS) else 0.0)

    def reasons(self, features: Mapping[str, float], most: int = 3) -> list[str]:
        """The features that speak against it most, beside what is usual."""
        lowered = {
            name: self._weight(name) * (value - self.means.get(name, 0.0))
            for name, value in features.items()
            if value
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


_UNLEARNT = FoilJudge("nothing", {ALWAYS: START})
"""For types that nothing was learnt for: doubts and flaws alone count."""


@lru_cache(maxsize=256)
def error_judge(language: str, type: str) -> FoilJudge:
    """The judge of a type of error.

    >>> round(error_judge("xx", "number").confidence({ALWAYS: 1.0}), 2)
    0.9
    """
    return load_judges(f"errors.{language}").get(type, _UNLEARNT)
