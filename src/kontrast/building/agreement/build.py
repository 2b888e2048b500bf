"""The recipe ``agreement``: contrastive items from two treebanks with the same sentences."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

from kontrast.building.agreement.forms import Forms, WrongForm
from kontrast.building.agreement.targets import AgreementTarget, Tree, parallel_trees, targets
from kontrast.building.agreement.traps import Traps, language_of
from kontrast.building.corpus import refuse_other_language
from kontrast.defaults import SEED
from kontrast.errors import InputError
from kontrast.io.conllu import read_blocks
from kontrast.language.annotation import Token
from kontrast.language.frequencies import Frequencies, count_words, word_frequencies
from kontrast.language.lexicon import Lexicon, same_class
from kontrast.language.lexicons import DEFAULTS, lexicon
from kontrast.language.lexicons.patterns import Patterns
from kontrast.language.lexicons.treebank import Treebank
from kontrast.progress import progress
from kontrast.record import Record
from kontrast.suites.model import Item, Suite, Variant

DETERMINERS = 0.25
"""The most that determiners may be of all foils: they would be three quarters in Romance languages."""


ASKED, FEWEST, KNOWN = 300, 50, 0.25
"""Words of which a lexicon must know a quarter; fewer than fifty say nothing."""
VERBS = 40
"""The commonest verbs, of which it must know half: from 85% (Polish) to all are known of the right language, from 7%
(Spanish on Italian) to 38% (Danish on Swedish) of another."""


class AgreementSuite(Record, frozen=True):
    """The suite, and what the trees gave: foils by phenomenon, what was left out by reason."""

    suite: Suite
    sentences: int
    covered: int
    phenomena: dict[str, int]
    left_out: dict[str, int]


def build_agreement(
    source: str | Path,
    target: str | Path,
    pair: str | None = None,
    *,
    lexicons: Sequence[str] = (),
    seed: int = SEED,
    determiners: float = DETERMINERS,
    train: Sequence[str | Path] = (),
    name: str | None = None,
) -> AgreementSuite:
    """Build contrastive items from parallel treebanks; each foil has one word in a form that does not agree.

    ``pair`` (``en-es``) comes from the files' names if they begin with a language (``es_pud…``). The target
    treebank itself is always a lexicon; ``lexicons`` are used first. ``train`` is text for the words' frequency;
    without it the frequency comes from the treebank.

    >>> import tempfile
    >>> import kontrast
    >>> folder = Path(tempfile.mkdtemp())
    >>> def tree(name, *words):
    ...     _ = (folder / name).write_text("\\n".join(words).replace(" ", "\\t") + "\\n\\n")
    >>> tree("en.conllu", "1 She she PRON _ Number=Sing 2 nsubj _ _", "2 laughs laugh VERB _ Number=Sing 0 root _ _")
    >>> subject = "1 Sie sie PRON _ Case=Nom|Gender=Fem|Number=Sing|Person=3 2 nsubj _ _"
    >>> verb = "2 lacht lachen VERB _ Mood=Ind|Number=Sing|Person=3|Tense=Pres|VerbForm=Fin 0 root _ _"
    >>> tree("de.conllu", subject, verb)
    >>> made = kontrast.build_agreement(folder / "en.conllu", folder / "de.conllu", "en-de")
    >>> [variant.text for variant in made.suite.items[0].variants]
    ['Sie lacht', 'Sie lachst']
    """
    languages = source_language, language = language_of(pair, source, target)
    left_out: Counter[str] = Counter()
    found = _found(source, target, languages, lexicons, train, left_out)
    kept = _capped([variants for _, _, variants in found], determiners, seed, left_out)
    items = [
        Item(
            tree.id or str(i),
            text,
            (Variant(tree.text), *variants),
            document=tree.document or None,
            tags={"origin": tree.id} if tree.id else {},
        )
        for i, ((text, tree, _), variants) in enumerate(zip(found, kept, strict=True), start=1)
        if variants and text
    ]
    if not items:
        raise InputError(
            target,
            "no agreement error could be made: check that the treebank has morphological features and the "
            "lexicon has its words",
        )
    suite = Suite(
        name or f"agreement-{source_language}-{language}", tuple(items), source_language, language, unit="pair"
    )
    phenomena = Counter(str(v.error) for item in items for v in item.variants[1:])
    plain = sum(any(v.error != "det_noun" for v in item.variants[1:]) for item in items)
    return AgreementSuite(suite, len(found), plain, dict(phenomena.most_common()), dict(left_out.most_common()))


def _found(
    source: str | Path,
    target: str | Path,
    languages: tuple[str, str],
    lexicons: Sequence[str],
    train: Sequence[str | Path],
    left_out: Counter[str],
) -> list[tuple[str, Tree, list[Variant]]]:
    """Each source sentence with its tree and every foil that can be made of it."""
    language = languages[1]
    own: tuple[None, ...] = (None,) if language in DEFAULTS else ()  # the lexicon that comes with kontrast
    chosen = [lexicon(language, each) for each in lexicons or own]
    blocks = list(read_blocks(target))
    pairs = list(parallel_trees(source, target, blocks))
    sides = ((source, [text for text, _ in pairs]), (target, [tree.text for _, tree in pairs]))
    for code, (path, texts) in zip(languages, sides, strict=True):
        refuse_other_language(path, code, texts, "-".join(languages))
    words = [word for _, tree in pairs for word in tree.words]
    for each in chosen:
        if hasattr(each, "learn"):
            each.learn(text for w in words for text in (w.text.lower(), w.text, w.lemma, w.lemma.lower()))
    attested = Treebank(language, str(target), (row for block in blocks for row in block.rows))
    forms = Forms(chosen, [attested, Patterns(language, str(target), attested)])
    for each in chosen:
        _refuse_other_language(each, forms, words, target)
    traps = Traps(language, forms, [tree for _, tree in pairs])
    counts = word_frequencies(*train) if train else count_words(tree.text for _, tree in pairs)
    found: list[tuple[str, Tree, list[Variant]]] = []
    with progress("making agreement errors", len(pairs), "sentences") as advance:
        for text, tree in pairs:
            found.append((text, tree, list(_foils(tree, forms, traps, counts, left_out))))
            advance(1)
    return found


def _refuse_other_language(each: Lexicon, forms: Forms, words: Sequence[Token], target: str | Path) -> None:
    """A lexicon that knows hardly any of the words is of another language."""
    content = (w.text for w in words if w.pos in ("NOUN", "VERB", "ADJ") and w.text.isalpha())
    asked = list(dict.fromkeys(content))[:ASKED]
    known = sum(bool(forms.readings(each, form)) for form in asked)
    if len(asked) >= FEWEST and known < KNOWN * len(asked):
        raise InputError(
            target, f"the lexicon {each.name} knows {known} of {len(asked)} words: it may be for another language"
        )
    # A related language shares many words, but hardly the commonest verbs. A lexicon may have no verbs at all.
    counts = Counter(w.text.lower() for w in words if w.pos in ("VERB", "AUX") and w.text.isalpha())
    verbs = [form for form, _ in counts.most_common(VERBS)]
    known = sum(any(same_class(a.pos, "VERB") for a in forms.readings(each, form)) for form in verbs)
    if len(verbs) == VERBS and 0 < known < VERBS / 2:
        raise InputError(
            target,
            f"the lexicon {each.name} knows {known} of the {VERBS} commonest verbs: it may be for a related language",
        )


def _foils(tree: Tree, forms: Forms, traps: Traps, counts: Frequencies, left_out: Counter[str]) -> Iterator[Variant]:
    made_so_far: set[str] = set()
    for target in targets(tree):
        for feature in target.features:
            reason = traps.before(tree, target, feature)
            if reason:
                left_out[reason] += 1
                continue
            word, controller = tree.words[target.word], tree.words[target.controller]
            made = forms.wrong(word, controller, feature, target.phenomenon)
            if isinstance(made, str):
                left_out[made] += 1
                continue
            reason = traps.after(tree, target, feature, made.text, made.value)
            if reason:
                left_out[reason] += 1
                continue
            variant = _variant(tree, target, feature, made, counts)
            if variant.text in made_so_far:
                left_out["the same text as another foil"] += 1  # die for der: another gender, another number
                continue
            made_so_far.add(variant.text)
            yield variant


def _variant(tree: Tree, target: AgreementTarget, feature: str, form: WrongForm, counts: Frequencies) -> Variant:
    word = tree.words[target.word]
    low, high = sorted((target.word, target.controller))
    between = tree.words[low + 1 : high]
    attractors = sum(w.morph.get(feature) == form.value and w.pos in ("NOUN", "PROPN", "PRON") for w in between)
    return Variant(
        tree.text[: word.start] + form.text + tree.text[word.end :],
        target.phenomenon,
        tags={
            "feature": feature.lower(),
            "distance": high - low - 1,
            "attractors": attractors,
            "order": "controller first" if target.controller < target.word else "controller last",
            "frequency": counts[word.text],
            "right": word.text,
            "wrong": form.text,
            "controller": tree.words[target.controller].text,
            "lexicon": form.lexicon,
        },
    )


def _capped(found: list[list[Variant]], share: float, seed: int, left_out: Counter[str]) -> list[list[Variant]]:
    """Without the determiners beyond their share, drawn by the seed."""
    places = [(i, k) for i, variants in enumerate(found) for k, v in enumerate(variants) if v.error == "det_noun"]
    others = sum(map(len, found)) - len(places)
    most = int(others * share / (1 - share)) if share < 1 else len(places)
    dropped = set(random.Random(seed).sample(places, len(places) - most)) if len(places) > most else set()
    left_out["determiners beyond their share"] += len(dropped)
    return [[v for k, v in enumerate(variants) if (i, k) not in dropped] for i, variants in enumerate(found)]
