"""fast_align (Dyer et al. 2013) through systran-align: trained once, saved, applied to any text of the pair."""

import hashlib
import shutil
import sys
import tempfile
from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path
from typing import Any

import msgspec

from kontrast.errors import InputError, KontrastError
from kontrast.extras import systran_align
from kontrast.io.json_input import FAILURES
from kontrast.language.alignment import Links, spans
from kontrast.language.bilingual_words import WORDS

LETTERS = 5
"""Words count as the same by their first letters: endings only make the counts thin."""
FEW = 5_000
"""Fewer pairs than this hardly tell which words belong together."""
LONGEST = 1_000
"""Words of a line that is aligned: time grows with the cube of the length (8,000 words take 8 s, 24,000 minutes)."""
_BATCH = 2_000
_KNOWN = 0.55
"""Of the commonest words of a text a model of its language has more than this share (of French ones, a Spanish model
has a third to a half)."""
_COMMON, _ASKED, _ENOUGH, _TELLING = 300, 20, 400, 500
"""Common words of a side that a model keeps; those of a text that are looked up; words of a text, and pairs of a
model, that tell them."""
_PAIRS = 5_000_000
"""Pairs of words that are counted at a time; then those seen once are forgotten."""
_VERSION = 1


class Card(msgspec.Struct, frozen=True):
    """What is known of a trained model: ``model.json`` in its folder."""

    version: int
    pairs: int
    digest: str


def train(pairs: Iterable[tuple[str, str]], folder: str | Path) -> Card:
    """Train on sentence pairs and keep the model in a folder; nothing is left there if it fails.

    Pairs with a line of more than `LONGEST` words are left out, and their number is told.
    """
    learn = systran_align.generate_alignment_probabilities  # without the extra this fails before the work
    folder = Path(folder)
    folder.parent.mkdir(parents=True, exist_ok=True)
    count = long = 0
    digest = hashlib.sha256()
    words: tuple[Counter[str], Counter[str]] = (Counter(), Counter())
    with tempfile.TemporaryDirectory(dir=folder.parent) as place:
        work = Path(place)
        with (
            open(work / "text", "w", encoding="utf-8") as out,
            open(work / "whole", "w", encoding="utf-8") as whole,
        ):
            for source, target in pairs:
                sides = _keys(source), _keys(target)
                if max(map(len, sides)) > LONGEST:
                    long += 1
                    continue
                line = f"{' '.join(sides[0])} ||| {' '.join(sides[1])}\n"
                if not line.startswith(" |||") and not line.endswith("||| \n"):
                    out.write(line)
                    whole.write(" ".join(span.text for span in spans(source)) + "\t")
                    whole.write(" ".join(span.text for span in spans(target)) + "\n")
                    digest.update(line.encode())
                    count += 1
                    for counter, side in zip(words, sides, strict=True):
                        counter.update(side)
        _tell(long, "not trained on")
        if not count:
            raise KontrastError("there are no sentence pairs to train an alignment on")
        options = {"favor_diagonal": True, "optimize_tension": True, "variational_bayes": True}
        learn(str(work / "text"), str(work / "forward"), str(work / "backward"), **options)
        card = Card(_VERSION, count, digest.hexdigest())
        if count >= _TELLING:
            common = [[word for word, _ in side.most_common(_COMMON)] for side in words]
            (work / "common.json").write_bytes(msgspec.json.encode(common))
        (work / "model.json").write_bytes(msgspec.json.encode(card))
        aligner = systran_align.Aligner(str(work / "forward"), str(work / "backward"))
        _count_words(aligner, work / "whole", work / WORDS)
        (work / "text").unlink()
        (work / "whole").unlink()
        shutil.rmtree(folder, ignore_errors=True)
        shutil.copytree(work, folder)
    return card


def _count_words(aligner: Any, whole: Path, out: Path) -> None:
    """Write how often each two words are linked with each other and no other, in the text that was trained on."""
    counts: Counter[str] = Counter()
    with open(whole, encoding="utf-8") as lines:
        while batch := [line.rstrip("\n").split("\t") for line in islice(lines, _BATCH)]:
            sides = [[pair[side].split(" ") for pair in batch] for side in (0, 1)]
            keys = [[[word.lower()[:LETTERS] for word in words] for words in side] for side in sides]
            for own, theirs, found in zip(*sides, aligner.align_batch(*keys), strict=True):
                links = [(int(i), int(j)) for i, j in found["alignments"]]
                often = Counter(i for i, _ in links), Counter(j for _, j in links)
                for i, j in links:
                    if often[0][i] == often[1][j] == 1 and own[i].isalpha() and theirs[j].isalpha():
                        counts[f"{own[i].lower()}\t{theirs[j]}"] += 1
            if len(counts) > _PAIRS:
                counts = Counter({pair: count for pair, count in counts.items() if count > 1})
    kept = sorted((pair, count) for pair, count in counts.items() if count > 1)
    out.write_text("".join(f"{pair}\t{count}\n" for pair, count in kept), "utf-8")


class FastAlign:
    """Aligns with a trained model."""

    name = "fast-align"

    def __init__(self, folder: str | Path) -> None:
        folder = Path(folder)
        try:
            self.card = msgspec.json.decode((folder / "model.json").read_bytes(), type=Card)
        except (OSError, *FAILURES) as error:
            raise InputError(folder, "expected a folder made by `kontrast build alignment`") from error
        if self.card.version != _VERSION:
            raise InputError(folder, f"expected an alignment model of version {_VERSION}, found {self.card.version}")
        self._folder = folder
        self._common = _common_words(folder)
        self._seen: tuple[Counter[str], Counter[str]] = (Counter(), Counter())
        self._aligner: Any = systran_align.Aligner(str(folder / "forward"), str(folder / "backward"))

    def align(self, pairs: Iterable[tuple[str, str]]) -> Iterator[Links]:
        """The links of each pair; none where a line has more than `LONGEST` words, which is told."""
        waiting, long = iter(pairs), 0
        while batch := list(islice(waiting, _BATCH)):
            keys = [(_keys(source), _keys(target)) for source, target in batch]
            self._check_languages(keys)
            fit = [max(map(len, sides)) <= LONGEST for sides in keys]
            long += fit.count(False)
            sides = [
                [pair[side] or ["\u2205"] for pair, short in zip(keys, fit, strict=True) if short] for side in (0, 1)
            ]
            found = iter(self._aligner.align_batch(*sides) if any(fit) else ())
            for short in fit:
                yield frozenset((int(i), int(j)) for i, j in next(found)["alignments"]) if short else frozenset()
        _tell(long, "not aligned")

    def _check_languages(self, keys: list[tuple[list[str], list[str]]]) -> None:
        """Refuse texts whose commonest words the model does not have, once there is enough of them."""
        for side, seen, common in zip(("first", "second"), self._seen, self._common, strict=False):
            before = seen.total()
            if before >= _ENOUGH:
                continue
            seen.update(word for pair in keys for word in pair[side == "second"])
            if seen.total() >= _ENOUGH:
                asked = [word for word, _ in seen.most_common(_ASKED)]
                known = sum(word in common for word in asked)
                if known < _KNOWN * len(asked):
                    reason = f"it knows {known} of the {len(asked)} commonest words of the {side} language"
                    raise InputError(self._folder, f"expected an alignment model of this language pair, {reason}")


def _common_words(folder: Path) -> list[list[str]]:
    """The commonest words of each side, which tell its language; none in a model of few pairs, or an older one."""
    path = folder / "common.json"
    if not path.exists():
        return []
    try:
        return msgspec.json.decode(path.read_bytes(), type=list[list[str]])
    except FAILURES as error:
        raise InputError(path, "expected a file from `kontrast build alignment`") from error


def _tell(long: int, what: str) -> None:
    if long:
        print(f"kontrast: {long:,} pairs with a line of more than {LONGEST:,} words are {what}", file=sys.stderr)


def _keys(text: str) -> list[str]:
    return [span.text.lower()[:LETTERS] for span in spans(text)]
