"""Before a long run: does the model write what it should, and find likely what it writes itself?

A few sources are translated, by any engine that writes. The suite says what to expect: its correct variants are text
of the target language, its sources are not. Where the engine also gives log-probabilities, the translation is read
back, and compared with the suite's errors and with the correct variants of other sources. Each warning names the
option that cures its cause.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from statistics import fmean

import msgspec

from kontrast.io.words import words
from kontrast.progress import say
from kontrast.scoring.engine import Engine, Group, Target
from kontrast.scoring.messages import label_of
from kontrast.scoring.translating.cleaning import clean
from kontrast.scoring.translator import Decoding, Translator
from kontrast.suites.model import Item, Suite, TokenScores

LONG = 1000
"""So many rows make a run long."""
SOURCES = 8
READ_BACK = 0.6
"""The share of pieces that must come back, on average."""
FOREIGN = 1 / 3
"""A translation has at least this share of the common words that the suite's own correct variants have."""
OWN_SOURCE = 0.75
"""So often must the correct variant be likelier than that of another source."""
_COMMON, _ENOUGH = 100, 30
_SPECIAL = re.compile(r"<[^<>\s]*>|>>\S+<<|__\w+__|[a-z]{2,3}_[A-Z]\w+")
_TOKENIZERS = {
    "ct2": "--option tokenizer=NAME or spm=SOURCE,TARGET",
    "marian": "--option vocabs=SOURCE,TARGET",
    "hf": "the tokenizer files in the model's folder",
}
_LANGUAGE = {
    "command": "check the program's language pair",
    "openai": "check --target, or name the language in --template",
}


def warn(engine: Engine, suite: Suite, decoding: Decoding | None = None) -> None:
    """Say what looks wrong, on standard error."""
    for problem in problems(engine, suite, decoding):
        say(f"warning: {label_of(engine)}: {problem}")


def problems(engine: Engine, suite: Suite, decoding: Decoding | None = None) -> list[str]:
    """What looks wrong, in half sentences; nothing where all is well or the engine cannot be asked.

    ``decoding`` is the search of a translation. Without it the run is one of scores: then a program is not asked,
    which may know only scores, nor a server, which is asked by its own canary.
    """
    scored = engine.supports.tokens and engine.name != "openai"
    if not isinstance(engine, Translator) or (decoding is None and not scored):
        return []
    sample = _sample(suite)
    if not sample:
        return []
    search = decoding or (Decoding(beams=1) if engine.name == "marian" else Decoding(beams=1, max_length=64))
    asked = [Group(item.source, (Target(""),), item.source) for item in sample]
    said = dict(engine.translate(asked, search))
    texts = [said[n].text.strip() for n in range(len(sample))]
    if engine.supports.prompted:
        texts = [clean(text, item.source)[0] for text, item in zip(texts, sample, strict=True)]
    found = _in_words(engine, suite, sample, texts)
    if scored:
        if not engine.supports.prompted:
            found += _read_back(engine, [said[n].pieces for n in range(len(texts))], texts)
        found += _by_scores(engine, sample, texts)
    return found


def _sample(suite: Suite) -> list[Item]:
    """Items of middle length with different sources, from all of the suite."""
    first: dict[str, Item] = {}
    for item in suite.items:
        if item.source.strip() and item.best.text.strip():
            first.setdefault(item.source, item)
    ordered = sorted(first.values(), key=lambda item: len(item.source))
    third = len(ordered) // 3
    middle = sorted(ordered[third : len(ordered) - third], key=lambda item: item.id)
    step = max(1, len(middle) // SOURCES)
    return middle[::step][:SOURCES]


def _in_words(engine: Engine, suite: Suite, sample: Sequence[Item], texts: Sequence[str]) -> list[str]:
    """Blank, the source itself, all the same, another language."""
    count, written = len(texts), [text for text in texts if text]
    cure = _LANGUAGE.get(engine.name, "check --target, or put the prefix from the model's training into --template")
    found = []
    if blank := count - len(written):
        found.append(f"{blank} of {count} translations are blank: check --max-length and --template")
    copied = sum(words(text) == words(item.source) for text, item in zip(texts, sample, strict=True) if text)
    if copied * 2 > count:
        return [*found, f"{copied} of {count} translations are equal to their source: {cure}"]
    if len(written) > 2 and len(set(written)) == 1:
        return [*found, f"all {len(written)} translations are the same ({written[0][:40]!r}): check --template"]
    language = suite.target_language
    common = Counter(w for item in suite.items for w in words(item.best.text, language) if w.isalpha())
    usual = {word for word, _ in common.most_common(_COMMON)}
    expected = [w for item in sample for w in words(item.best.text, language) if w.isalpha()]
    ours = [w for text in written for w in words(text, language) if w.isalpha()]
    if min(len(expected), len(ours)) >= _ENOUGH:
        right, own = (sum(w in usual for w in side) / len(side) for side in (expected, ours))
        if own < right * FOREIGN:
            found.append(
                f"the translations do not seem to be in the suite's target language ({own:.0%} of their words are "
                f"common there, {right:.0%} in correct variants; {written[0][:40]!r}): {cure}"
            )
    return found


def _read_back(engine: Engine, written: Sequence[Sequence[str]], texts: Sequence[str]) -> list[str]:
    """Whether the pieces that were written come back when the text is cut."""
    shares = []
    for pieces, text in zip(written, texts, strict=True):
        again = engine.cut(text, "target") if text and pieces else None
        if again is not None:
            one, other = (Counter(p for p in side if not _SPECIAL.fullmatch(p)) for side in (pieces, again))
            shares.append((one & other).total() / max(one.total(), other.total(), 1))
    if not shares or fmean(shares) >= READ_BACK:
        return []
    return [
        f"only {fmean(shares):.0%} of the pieces of translations stay the same when tokenised again "
        f"({texts[0][:40]!r}): the tokenizer of the target is wrong; check "
        f"{_TOKENIZERS.get(engine.name, 'the tokenizer')}"
    ]


def _by_scores(engine: Engine, sample: Sequence[Item], texts: Sequence[str]) -> list[str]:
    """The translation against the suite's errors; the correct variant against that of the next source."""
    groups = []
    for n, (item, text) in enumerate(zip(sample, texts, strict=True)):
        other = sample[(n + 1) % len(sample)].best.text
        wrong = [v.text for k, v in enumerate(item.variants) if k != item.correct and v.text.strip()]
        targets = (text or item.best.text, item.best.text, other, *dict.fromkeys(wrong))
        groups.append(Group(item.source, tuple(map(Target, targets)), item.source))
    distinct = [msgspec.structs.replace(g, targets=tuple(dict.fromkeys(g.targets))) for g in groups]
    scored = {n: dict(zip(distinct[n].targets, map(_mean, rows), strict=True)) for n, rows in engine.score(distinct)}
    means = [[scored[n][target] for target in group.targets] for n, group in enumerate(groups)]
    found = []
    own = [row[0] for row, text in zip(means, texts, strict=True) if text]
    foils = [value for row in means for value in row[3:]]
    if own and foils and fmean(own) <= fmean(foils):
        found.append(
            f"its own translations are no likelier than the suite's errors ({fmean(own):.2f} against "
            f"{fmean(foils):.2f} per token): check tokenizer, --template and --target (score --dry-run --tokens)"
        )
    pairs = [
        row[1] > row[2] for row, group in zip(means, groups, strict=True) if group.targets[1] != group.targets[2]
    ]
    if len(pairs) > 3 and fmean(pairs) < OWN_SOURCE:
        found.append(
            f"for {len(pairs) - sum(pairs)} of {len(pairs)} sources the correct variant of another source is "
            "likelier: the model hardly uses the source; check --source, --template and the tokenizer of the "
            "source side"
        )
    return found


def _mean(row: TokenScores) -> float:
    return sum(row.logprobs) / max(len(row.logprobs), 1)
