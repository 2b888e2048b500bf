"""The options of counting and splitting, declared once for the commands and for Python."""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec

from kontrast.defaults import SEED
from kontrast.errors import KontrastError
from kontrast.options import option, read_names, read_numbers, read_window


def _ratio(given: Any, name: str) -> Any:
    return given if given in ("auto", "open") else read_window(given, name)


class CountOptions(msgspec.Struct, frozen=True, kw_only=True):
    """What is counted, and how the corpus is read; `Filters` and `SentenceFilter` say what is left out."""

    kind: Annotated[
        str, option("conllu, text, triples or jsonl. Default: by the file's name.", "--from", metavar="KIND")
    ] = ""
    features: Annotated[
        Any,
        option(
            "dependency, morphology, ngram, relations, length, depth, or FILE.py:FUNCTION, a function of an "
            "annotated sentence."
        ),
    ] = "dependency"
    order: Annotated[int, option("Number of words in an n-gram.")] = 2
    bin_size: Annotated[int | None, option("Bin size of lengths (5) or depths (1).", "--bin")] = None
    lang: Annotated[str, option("Language of plain text.")] = ""
    annotator: Annotated[Any, option("Annotator of plain text. Default: the language's annotator.")] = None
    heads: Annotated[
        Any, option("File with the heads of each sentence, if CORPUS has the lemmas.", metavar="FILE")
    ] = None
    labels: Annotated[Any, option("File with the relation labels of each sentence.", metavar="FILE")] = None
    preset: Annotated[str, option("Filters: none, or authors (Europarl splits).")] = "none"
    rank: Annotated[Any, option("Only lemmas of these frequency ranks, counted from 0.", metavar="A:B")] = None


class Filters(msgspec.Struct, frozen=True, omit_defaults=True):
    """Filters on lemmas (frequency, rank, characters, length, part of speech), relations and compounds.

    Ranks count from 0, most frequent first, among lemmas that pass the character filter.
    """

    min_frequency: Annotated[int, option("Leave out rarer lemmas.")] = 1
    max_frequency: Annotated[int | None, option("Leave out more frequent lemmas.")] = None
    min_rank: int = 0
    max_rank: int | None = None
    without_characters: Annotated[str, option("Leave out lemmas that match this pattern.", metavar="REGEX")] = ""
    min_length: int = 0
    pos: Annotated[tuple[str, ...], option("Only these parts of speech: NOUN,VERB,…", read=read_names)] = ()
    relations: Annotated[tuple[str, ...], option("Only these relations: nsubj,obj,…", read=read_names)] = ()
    """``nsubj`` also takes its subtypes, ``nsubj:`` none but the plain one."""
    without_relations: tuple[str, ...] = ("root", "punct*")
    min_compound: Annotated[int, option("Leave out rarer compounds.")] = 1
    max_compound: int | None = None
    weight: Annotated[
        float,
        option(
            "Leave out (relation, dependent) pairs that mostly have one head; for morphology, bundles with one "
            "lemma.",
            least=0,
            most=1,
        ),
    ] = 0.0
    """Leave out a (relation, dependent) of which one head has more than 1 − weight of the occurrences (in morphology:
    a bundle of features of which one lemma has)."""
    tags: Annotated[
        tuple[str, ...],
        option("Morphology: only features that begin with one of these: Case,Number=Plur,…", read=read_names),
    ] = ()
    without_tags: Annotated[tuple[str, ...], option("Morphology: without these features.", read=read_names)] = ()
    without_tagged: Annotated[
        tuple[str, ...],
        option("Morphology: leave out tokens with one of these features: Typo,Foreign,…", read=read_names),
    ] = ()
    frequency_block: int = 1
    """Test the minimum frequency at the first of every so many ranks, for the whole block."""
    heads_depend: bool = False
    """Only compounds whose head is also the dependent of a compound that is kept."""
    atoms_of_dropped: bool = False
    """Compounds left out by weight still give their atoms."""
    shared_names: bool = False
    """A lemma and a relation of the same name (*mark*, *case*) are one atom."""


PRESETS = {
    "none": Filters(),
    # Europarl splits of the authors: without the 200 most frequent lemmas, then a hundred ranks at a time as long as
    # the first of them occurs ten times.
    "authors": Filters(
        min_frequency=10,
        min_rank=200,
        without_characters=r"[!-,./:-@\[-`{-~0-9 ‘’]",
        min_length=1,
        weight=0.5,
        frequency_block=100,
        heads_depend=True,
        atoms_of_dropped=True,
        shared_names=True,
    ),
}


def preset_filters(name: str, **changes: object) -> Filters:
    """A preset by its name, with changes."""
    if name not in PRESETS:
        raise KontrastError(f"{name!r} is not a preset of filters; expected one of {', '.join(PRESETS)}")
    return msgspec.structs.replace(PRESETS[name], **changes)


class SentenceFilter(msgspec.Struct, frozen=True, omit_defaults=True):
    """Which sentences are left out before counting; `counts.json` has it.

    With ``parallel`` neither side may have more than ``max_ratio`` times the words of the other.
    """

    min_tokens: Annotated[int, option("Leave out shorter sentences.")] = 0
    max_tokens: Annotated[int | None, option("Leave out longer sentences.")] = None
    no_duplicates: Annotated[bool, option("Leave out repeated sentences.")] = msgspec.field(
        default=False, name="duplicates"
    )
    parallel: Annotated[
        str, option("The translation of the corpus, for --max-ratio.", metavar="FILE", read=lambda path, _: str(path))
    ] = ""
    max_ratio: Annotated[
        float | None,
        option("Leave out pairs whose longer side has more than this many times the words of the shorter side."),
    ] = None

    def __post_init__(self) -> None:
        if bool(self.parallel) != (self.max_ratio is not None):
            raise KontrastError("a filter by length ratio needs the other side of the corpus and the largest ratio")
        if self.max_ratio is not None and self.max_ratio < 1:
            raise KontrastError(f"the largest ratio of lengths is at least 1, not {self.max_ratio:g}")


class SplitOptions(msgspec.Struct, frozen=True, kw_only=True):
    """Divergences to reach, sizes to keep, and how long to look; one split for each compound target and seed.

    The share of test is test/(train + test) in ``share_of``; ``discard`` is a share of what takes part, in sentences
    and in the same measure. ``fixed_train`` are sentence numbers or their file, ``against`` and ``resume`` counts and
    a split or their folders. The same seed gives the same split on the same machine, unless time runs out.
    """

    atom: Annotated[float, option("Target of the atom divergence.")] = 0.0
    compound: Annotated[
        tuple[float, ...], option("Target of the compound divergence; several with commas.", read=read_numbers(float))
    ] = (1.0,)
    test_share: Annotated[
        tuple[float, float], option("Range of test/(train+test).", metavar="A:B", read=read_window)
    ] = (0.1, 0.2)
    share_of: Annotated[Literal["compounds", "sentences", "tokens"], option("Unit of the test share.")] = "compounds"
    test_size: Annotated[int | tuple[int, int] | None, option("Number of test sentences, instead of a share.")] = None
    discard: Annotated[float, option("Largest share of the corpus that is left out.")] = 0.25
    length_ratio: Annotated[
        tuple[float, float] | str,
        option(
            "Range of the mean length of test sentences divided by that of train: .8:1.25; open for any.",
            metavar="A:B",
            read=_ratio,
        ),
    ] = "auto"
    featureless: Annotated[
        Literal["nowhere", "train", "anywhere"], option("The set that takes sentences without a compound.")
    ] = "nowhere"
    together: Annotated[str, option("Keep documents or duplicates on one side.")] = ""
    fixed_train: Annotated[Any, option("File with sentence numbers that must be in train.", metavar="FILE")] = None
    no_unseen_atoms: Annotated[bool, option("Every atom of test must occur in train.")] = False
    against: Annotated[
        Any, option("Counts of another corpus that is train; test is chosen from DIR.", metavar="DIR")
    ] = None
    atom_weight: Annotated[
        float | None,
        option(
            "Weight of the distance to the atom target. "
            "Default: 1, or 2.25 while the atom divergence is above a random split's.",
            least=0,
        ),
    ] = None
    compound_weight: Annotated[float, option("Weight of the distance to the compound target.", least=0)] = 1.0
    atom_cap: Annotated[float | None, option("Keep the atom divergence below this value.")] = None
    atom_alpha: Annotated[float, option("Weight α of train in the divergence of atoms.")] = 0.5
    compound_alpha: Annotated[float, option("Weight α of train in the divergence of compounds.")] = 0.1
    dev: Annotated[float, option("Number (or share) of train sentences to use as dev.", least=0)] = 0
    seed: Annotated[
        tuple[int, ...],
        option("Random seed; several with commas give several splits and their spread.", read=read_numbers(int)),
    ] = (SEED,)
    effort: Annotated[str, option("fast, default or thorough.")] = "default"
    seconds: Annotated[float | None, option("Stop the search after this time.")] = None
    resume: Annotated[Any, option("Continue from an earlier split's folder.", metavar="DIR")] = None


class ExportOptions(msgspec.Struct, frozen=True, kw_only=True):
    """What is written beside the split: the corpora's train, dev and test in several formats, and a report."""

    export: Annotated[Any, option("Also write train, dev and test of this corpus.", metavar="LANG=FILE")] = ()
    formats: Annotated[
        tuple[str, ...],
        option("Formats of exports: lines, hf, genbench, chat; several with commas.", "--format", read=read_names),
    ] = ("lines",)
    name: Annotated[str, option("Name of the exported task. Default: the name of the folder.")] = ""
    url: Annotated[
        str, option("Address at which you publish the exported genbench folder. Default: a file:// address.")
    ] = ""
    report: Annotated[Any, option("Also write an HTML report.", metavar="FILE")] = None
