"""DiscEvalMT: its two sets print different summaries; a pair is right where the correct one is strictly better."""

from __future__ import annotations

from collections.abc import Iterator

from kontrast.suites.model import Scores, Suite
from kontrast.testsets.discevalmt.format import numeric
from kontrast.testsets.originals import Options, Tally, beats_all

_PRONOUNS = ("m.sg", "f.sg", "m.pl", "f.pl")
_GRADES = ("correct", "semi-correct")


def lines(suite: Suite, scores: Scores, options: Options) -> Iterator[str]:
    decisions = list(beats_all(suite, scores))
    blocks: dict[str, list[bool]] = {number: [] for number in suite.extra.get("empty", ())}
    for item, right in zip(suite.items, decisions, strict=True):
        blocks.setdefault(str(item.tags.get("block")), []).append(right)
    whole = sorted((block for block, answers in blocks.items() if all(answers)), key=numeric)
    if suite.extra.get("set") == "anaphora":
        yield from _anaphora(suite, decisions, whole)
    else:
        yield from _lexical_choice(suite, decisions, whole)


def _anaphora(suite: Suite, decisions: list[bool], whole: list[str]) -> Iterator[str]:
    tally = Tally()
    for item, right in zip(suite.items, decisions, strict=True):
        tally.add(f"{item.tags.get('type')} {item.tags.get('grade')}", right)

    yield "Distribution of pronoun types (in examples): "
    for pronoun in _PRONOUNS:
        (_, full), (_, half) = (tally.counts(f"{pronoun} {grade}") for grade in _GRADES)
        yield f"\t{pronoun}\ttotal: {full + half}"
        yield f"\t\t\t: correct: {full}, semi-correct: {half}"
    yield "----------------"
    yield "Number correct of each type:"
    for pronoun in _PRONOUNS:
        (right_full, all_full), (right_half, all_half) = (tally.counts(f"{pronoun} {grade}") for grade in _GRADES)
        yield f"\t{pronoun}\tTotal correct: {right_full + right_half}"
        yield f"\t\t\t: correct: {right_full} correct, {right_half} semi-correct"
        yield f"\t\t\t: incorrect: {all_full - right_full} correct, {all_half - right_half} semi-correct"
    yield "----------------"
    yield "How many example blocks (of 4 contrastive pairs) are systematically right?"
    yield f"Number of examples where all right: {len(whole)}"
    yield f"\tCorresponds to examples:{whole}"
    yield ""
    yield "-------- Summary ---------"
    yield f"Overall precision = {_share(sum(decisions), len(decisions))}"


def _lexical_choice(suite: Suite, decisions: list[bool], whole: list[str]) -> Iterator[str]:
    tally = Tally()
    for item, right in zip(suite.items, decisions, strict=True):
        tally.add(str(item.tags.get("type")), right)

    yield f"Total correct: {sum(decisions)}"
    yield f"Total incorrect: {len(decisions) - sum(decisions)}"
    yield ""
    yield f"Number of example blocks entirely correct: {len(whole)}"
    # the original subtracts blocks from examples; kept as it prints
    yield f"Number of example blocks not entirely correct: {len(decisions) - len(whole)}"
    yield ""
    yield "--------- By type of example -----------"
    for kind in ("repet", "disambig"):
        right_count, total = tally.counts(kind)
        yield f"{kind.title()}: Total: {total}, #correct: {right_count}, #incorrect: {total - right_count}"
    yield ""
    yield "--------- Summary ---------"
    yield f"Total precision = {_share(sum(decisions), len(decisions))}"
    yield ""


def _share(right: int, total: int) -> str:
    return f"{right}/{total} = {right / total if total else 0.0}"
