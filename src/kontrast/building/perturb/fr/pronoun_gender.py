"""The gender of a French third-person pronoun changed, with every word that must agree with it."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence

import msgspec

from kontrast.building.perturb.fr.agreement import Change, is_filler, with_object, with_subject
from kontrast.building.perturb.fr.pronoun_reference import (
    has_determiner,
    is_label,
    is_of_person,
    is_said_before,
    is_unsaid,
    may_be_named,
    tells_person,
)
from kontrast.building.perturb.fr.pronoun_uses import (
    NEUTER,
    counts_nothing,
    is_clitic,
    is_imperative,
    is_stressed,
    is_subject,
    may_be_a_sentence,
)
from kontrast.building.perturb.nouns_before import (
    fits_another,
    genders,
    has_indefinite,
    is_decided,
    opens_both,
    taken_up,
)
from kontrast.building.perturb.perturbation import Candidate, Example, Perturbation, candidate
from kontrast.building.perturb.text import like
from kontrast.language.annotation import Sentence
from kontrast.language.french import AVOIR, ETRE
from kontrast.language.french_impersonal import is_impersonal
from kontrast.language.french_words import FrenchWord, words_of
from kontrast.language.lexicons.french import Gender, Number, agreeing, lemmas

_SUBJECTS: dict[str, tuple[Gender, Number, str]] = {
    "il": ("m", "s", "elle"),
    "elle": ("f", "s", "il"),
    "ils": ("m", "p", "elles"),
    "elles": ("f", "p", "ils"),
}
_STRESSED: dict[str, tuple[Gender, Number, str]] = {
    "lui": ("m", "s", "elle"),
    "elle": ("f", "s", "lui"),
    "eux": ("m", "p", "elles"),
    "elles": ("f", "p", "eux"),
}
_DEMONSTRATIVES: dict[str, tuple[Gender, Number, str]] = {
    "celui": ("m", "s", "celle"),
    "celle": ("f", "s", "celui"),
    "ceux": ("m", "p", "celles"),
    "celles": ("f", "p", "ceux"),
}
_INDEFINITES: dict[str, tuple[Gender, Number, str]] = {
    "chacun": ("m", "s", "chacune"),
    "chacune": ("f", "s", "chacun"),
    "aucun": ("m", "s", "aucune"),
    "aucune": ("f", "s", "aucun"),
}
_POSSESSED: dict[str, tuple[Gender, Number, str]] = {}
for _stem, _feminine in (("mien", "mienne"), ("tien", "tienne"), ("sien", "sienne")):
    _POSSESSED[_stem] = ("m", "s", _feminine)
    _POSSESSED[_feminine] = ("f", "s", _stem)
    _POSSESSED[_stem + "s"] = ("m", "p", _feminine + "s")
    _POSSESSED[_feminine + "s"] = ("f", "p", _stem + "s")
_PERSONAL = frozenset("il elle ils elles le la l' les lui eux".split())
_BEFORE_PREDICATE = frozenset("et ou ni puis mais non pas si très trop devenu devenue devenus devenues".split())
_CLAUSES = frozenset("que qu' qui quand si s' lorsque lorsqu' comme et ou mais car donc puis où dont ni".split())

_COMPLEMENT = 6
"""Words in which the verb of *celui du dessus* is looked for."""


class Occurrence(msgspec.Struct, frozen=True):
    """An occurrence that can change: its gender and number, and all its changes."""

    index: int
    gender: Gender
    number: Number
    changes: tuple[Change, ...]
    sure: bool = True
    """Is it certain that the pronoun stands for a thing, not for a sentence?"""


def _mentions(words: Sequence[FrenchWord]) -> Iterator[Occurrence]:
    for i, word in enumerate(words):
        if word.low in _SUBJECTS and is_subject(words, i):
            if not is_impersonal(words, i):
                gender, number, new = _SUBJECTS[word.low]
                changes: list[Change] = [(i, new), *with_subject(words, i, _other(gender), number)]
                yield _mention(i, gender, number, changes, not _leaves_agreement(words, i, gender, number, changes))
        elif word.low in _STRESSED and is_stressed(words, i):
            if not _goes_with_an_indefinite(words, i):
                yield _stressed(words, i)
        elif word.low in _DEMONSTRATIVES:
            yield _demonstrative(words, i)
        elif word.low in ("le", "la", "l'", "les") and is_clitic(words, i):
            yield from _object(words, i)
        elif word.low in ("le", "la") and i and words[i - 1].low == "-" and is_imperative(words, i - 2):
            yield _swapped(words, i, "le", "la")
        elif word.low in _POSSESSED:
            yield from _possessed(words, i)
        elif word.low in ("un", "une") and counts_nothing(words, i):
            one = _swapped(words, i, "un", "une")
            # l'un des commandants: of people the sentence does not tell
            yield msgspec.structs.replace(one, sure=i == 0 or words[i - 1].low != "l'")
        elif word.low in _INDEFINITES and not (i + 1 < len(words) and words[i + 1].pos in ("NOUN", "ADJ")):
            yield _indefinite(words, i)


def _leaves_agreement(
    words: Sequence[FrenchWord], i: int, gender: Gender, number: Number, changes: Sequence[Change]
) -> bool:
    """*elles doivent au préalable être converties*: does a participle of the clause keep the old gender?

    Or one that never had it: *ils sont moins sujet à*.
    """
    changed = {index for index, _ in changes}
    for j in range(i + 1, min(i + 16, len(words))):
        if words[j].low in (";", ".", ":", "qui", "que", "qu'", "dont", "où") or words[j].low in _SUBJECTS:
            return False
        before = words[j - 1].low
        if words[j].low in ("tous", "toutes") and j > 1 and words[j - 2].low in ("nous", "vous"):
            return True  # ils nous ont tous vus
        k = j - 1
        while k > i and is_filler(words[k]):
            k -= 1
        after_be = before in ("être", "êtres", "été") or (words[k].low in ETRE and k > i)
        hyphened = j > i + 1 and before == "-" and words[j - 2].low in ("sous", "sur", "auto")
        joined = before in _BEFORE_PREDICATE and words[j].pos in ("VERB", "ADJ")
        if (after_be or hyphened or joined) and j not in changed and _is_marked(words[j], gender, number):
            return True
    return False


def _is_marked(word: FrenchWord, gender: Gender, number: Number) -> bool:
    """Is it a participle or an adjective that should change with the gender, as *facile* does not?"""
    slip = word.pos == "NOUN" and number == "p" and word.low[-1] not in "sxz"  # ils sont moins sujet à
    predicate = word.pos == "ADJ" or bool(lemmas(word.low, "k")) or slip
    return predicate and word.low != "été" and agreeing(word.low, _other(gender), number) != word.low


def _goes_with_an_indefinite(words: Sequence[FrenchWord], i: int) -> bool:
    """*chacun d'eux*: they change together."""
    among = words[i - 1].low == "entre" if i else False
    return i > 1 + among and words[i - 2 - among].low in _INDEFINITES and words[i - 1 - among].low == "d'"


def _stressed(words: Sequence[FrenchWord], i: int) -> Occurrence:
    gender, number, new = _STRESSED[words[i].low]
    among = i > 0 and words[i - 1].low in ("entre", "parmi")  # beaucoup d'entre elles sont tombées
    behind = words[i + 1].low if i + 1 < len(words) else ""
    subject = i if among else i + 1 if behind == "qui" else None  # c'est lui qui est venu
    agreeing = with_subject(words, subject, _other(gender), number) if subject is not None else []
    one_of = {words[k].low for k in range(max(0, i - 3), i)} & {"un", "une"}  # l'un d'entre eux: un stays
    return _mention(i, gender, number, [(i, new), *agreeing], not one_of)


def _demonstrative(words: Sequence[FrenchWord], i: int) -> Occurrence:
    gender, number, new = _DEMONSTRATIVES[words[i].low]
    subject = i + 2 if [w.low for w in words[i + 1 : i + 3]] in (["-", "ci"], ["-", "là"]) else i
    if subject == i and i + 1 < len(words) and words[i + 1].low == "qui":
        subject = i + 1
    elif subject == i:
        subject = _end_of_complement(words, i)
    changes: list[Change] = [(i, new), *with_subject(words, subject, _other(gender), number)]
    behind = words[i + 1].low if i + 1 < len(words) else ""
    if behind.endswith("ment") and i + 2 < len(words):
        behind = words[i + 2].low  # celles habituellement renvoyées
    several = i > 0 and words[i - 1].low in ("tous", "toutes", "tout", "toute")  # tous ceux
    agrees = (
        several
        or behind in ("que", "qu'")
        or (bool(lemmas(behind, "k")) and i + 1 not in {index for index, _ in changes})
    )  # celles affichées, celui que nous avons perdu
    left = not _is_governed(words, i) and _leaves_agreement(words, subject, gender, number, changes)
    return _mention(i, gender, number, changes, not (agrees or left))


def _is_governed(words: Sequence[FrenchWord], i: int) -> bool:
    """*la couleur de celui du dessus est verte*: no subject, so that the verb behind it is another's."""
    return i > 0 and words[i - 1].pos == "ADP"


def _end_of_complement(words: Sequence[FrenchWord], i: int) -> int:
    """*celui du dessus | est transparent*: the word before its verb; its own place where it is no such subject.

    Not *celle dont la couleur est verte*, whose verb has another subject.
    """
    for k in range(i + 1, min(i + _COMPLEMENT, len(words))):
        if words[k].low in ETRE | AVOIR:
            return i if _is_governed(words, i) else k - 1
        if words[k].pos in ("VERB", "AUX", "PRON") or words[k].low in _CLAUSES or not words[k].low[0].isalpha():
            break
    return i


def _swapped(words: Sequence[FrenchWord], i: int, masculine: str, feminine: str) -> Occurrence:
    """A singular form in place of the other; nothing agrees with it."""
    gender: Gender = "m" if words[i].low == masculine else "f"
    return _mention(i, gender, "s", [(i, feminine if gender == "m" else masculine)])


def _indefinite(words: Sequence[FrenchWord], i: int) -> Occurrence:
    gender, number, new = _INDEFINITES[words[i].low]
    changes: list[Change] = [(i, new)]
    if words[i + 1 : i + 2] and words[i + 1].low == "d'" and words[i + 2 : i + 3]:
        whom = i + 3 if words[i + 2].low == "entre" and i + 3 < len(words) else i + 2
        among_whom = {"eux": "elles", "elles": "eux"}.get(words[whom].low)
        changes += [(whom, among_whom)] if among_whom else []
    behind = words[i + 1].low if i + 1 < len(words) else ""
    addressed = behind in ("votre", "notre", "vos", "nos")  # chacune votre tour: of those who are spoken to
    left = _leaves_agreement(words, i, gender, number, changes)  # chacune des pages sera convertie
    return _mention(i, gender, number, changes, behind not in ("que", "qu'") and not addressed and not left)


def _mention(index: int, gender: Gender, number: Number, changes: list[Change], sure: bool = True) -> Occurrence:
    return Occurrence(index, gender, number, tuple(changes), sure)


def _other(gender: Gender) -> Gender:
    return "f" if gender == "m" else "m"


def _object(words: Sequence[FrenchWord], i: int) -> Iterator[Occurrence]:
    low = words[i].low
    number: Number = "p" if low == "les" else "s"
    if low in ("le", "la"):
        behind = words[i + 1].low if i + 1 < len(words) else ""
        if low == "le" and (behind in ETRE or behind in AVOIR or behind.startswith(NEUTER)):
            return
        gender: Gender = "m" if low == "le" else "f"
        _, changes = with_object(words, i, _other(gender), number)
        sure = not (low == "le" and may_be_a_sentence(words, i))
        yield _mention(i, gender, number, [(i, "la" if gender == "m" else "le"), *changes], sure)
    else:
        new_gender, changes = with_object(words, i, None, number)
        if new_gender is not None and changes:
            yield _mention(i, _other(new_gender), number, changes, sure=False)


def _possessed(words: Sequence[FrenchWord], i: int) -> Iterator[Occurrence]:
    gender, number, new = _POSSESSED[words[i].low]
    changes: list[Change] = [(i, new)]
    before = words[i - 1].low if i else ""
    if number == "s":
        contracted = words[i - 2].low + " la" if i > 1 else ""
        if gender == "m" and before in ("le", "au", "du"):
            changes.append((i - 1, {"le": "la", "au": "à la", "du": "de la"}[before]))
        elif gender == "f" and before == "la" and contracted in ("à la", "de la"):
            changes += [(i - 2, "au" if contracted == "à la" else "du"), (i - 1, "")]
        elif gender == "f" and before == "la":
            changes.append((i - 1, "le"))
        else:
            return
    elif before not in ("les", "aux", "des"):
        return
    changes += with_subject(words, i, _other(gender), number)
    yield _mention(i, gender, number, changes)


def _edits(
    sentence: Sentence, words: Sequence[FrenchWord], changes: Sequence[Change], elide: bool = True
) -> list[tuple[int, int, str]]:
    """Character edits, with elision set right: s'il and si elle, d'elle and de lui."""
    text = sentence.text
    edits: dict[int, tuple[int, int, str]] = {}
    for index, new in changes:
        word = words[index]
        old = text[word.start : word.end]
        start, end, becomes = word.start, word.end, like(old, new)
        before = words[index - 1] if index else None
        if elide and before is not None and new and word.low not in ("le", "la", "un", "une"):
            joined = text[before.start : before.end]
            if before.low == "s'" and new in ("elle", "elles"):
                start, becomes = before.start, like(joined[0], "si") + " " + becomes
            elif before.low == "si" and new in ("il", "ils"):
                start, becomes = before.start, joined[0] + "'" + becomes
            elif before.low in ("d'", "qu'") and new == "lui":
                start, becomes = before.start, joined[:-1] + "e " + becomes
            elif before.low in ("de", "que") and word.low == "lui":
                start, becomes = before.start, joined[:-1] + "'" + becomes
        if new == "":
            end = words[index + 1].start
        edits[index] = (start, end, becomes)
    return [edit for edit in edits.values() if text[edit[0] : edit[1]] != edit[2]]


def _regendered(sentence: Sentence) -> Iterator[Candidate]:
    words = words_of(sentence)
    mentions = list(_mentions(words))
    for mention in mentions:
        edits = _edits(sentence, words, mention.changes)
        told = _is_one_of(sentence, words, mention)
        weak = not mention.sure or (not told and _fits_another(sentence, words, mention))
        weak = weak or _is_doubtful(sentence, words, mention)
        opens = _opens(sentence, words, mention) and not _is_said_again(words, mentions, mention)
        weak = weak or not (told or _is_decided(sentence, words, mention) or opens)
        weak = weak or (_is_counted(words, mention) and not _follows_indefinite(sentence, words, mention))
        yield (good := candidate("pronoun_gender", sentence, edits, weak=weak))
        # As published sets do it: elision as it was, and one agreeing word changed, or none.
        pronoun, *agreeing = mention.changes
        for some in (agreeing, *([one] for one in agreeing), []):
            edits = _edits(sentence, words, [pronoun, *some], elide=False)
            yield candidate("pronoun_gender", sentence, edits, repaired=good.text)
    for gender, number in dict.fromkeys((m.gender, m.number) for m in mentions):
        chain = [m for m in mentions if (m.gender, m.number) == (gender, number)]
        if len(chain) > 1:
            changes = [change for mention in chain for change in mention.changes]
            sure = all(m.sure and words[m.index].low in _PERSONAL for m in chain) and not _at_odds(words, chain)
            edits = _edits(sentence, words, changes)
            weak = not sure or _fits_another(sentence, words, chain[0])
            weak = weak or any(_is_doubtful(sentence, words, m) for m in chain)
            weak = weak or not _is_decided(sentence, words, chain[0])
            yield candidate("pronoun_gender", sentence, edits, chain=True, weak=weak)


def _is_doubtful(sentence: Sentence, words: Sequence[FrenchWord], mention: Occurrence) -> bool:
    otherwise = _is_parsed_otherwise(sentence, words[mention.index])
    return otherwise or _leaves_modifier(sentence, words, mention) or _is_unsettled(sentence, words, mention)


def _is_parsed_otherwise(sentence: Sentence, word: FrenchWord) -> bool:
    """Does the annotation take *il* for one that stands for nothing, or *le* for an article?"""
    token = next((t for t in sentence.tokens if t.start <= word.start < t.end), None)
    if token is None:
        return False
    person = {"he", "him", "his"} & set(sentence.source.lower().split())
    empty = token.relation.startswith("expl") and not person
    if word.low in ("le", "la") and sentence.text[: word.start].rstrip().lower().endswith((" où", " dont")):
        return True  # où la pousse des arbres
    return empty or (word.low in ("le", "la") and token.pos == "DET" and sentence.text[: word.start][-1:] != "-")


def _leaves_modifier(sentence: Sentence, words: Sequence[FrenchWord], mention: Occurrence) -> bool:
    """*en donner un, toujours élégant*: does an adjective that the tree hangs on the pronoun keep its gender?"""
    changed = {words[index].start for index, _ in mention.changes}
    place = next((k for k, t in enumerate(sentence.tokens) if t.start == words[mention.index].start), None)
    hung = sentence.children(place) if place is not None else ()
    own = {t.start for t in (sentence.tokens[k] for k in hung) if t.relation in ("amod", "acl")}
    left = (word for word in words[mention.index + 1 :] if word.start in own - changed)
    return any(_is_marked(word, mention.gender, mention.number) for word in left)


def _is_unsettled(sentence: Sentence, words: Sequence[FrenchWord], mention: Occurrence) -> bool:
    """May the pronoun mean what the sentence does not give a gender: a person, a program, a thing said before?"""
    i, start = mention.index, words[mention.index].start
    if is_label(words, i):
        return True
    if _is_counted(words, mention):
        return is_of_person(sentence, start, mention.gender)
    named = words[i].low in _PERSONAL or words[i].low in _DEMONSTRATIVES
    if named and may_be_named(sentence, start, mention.number):
        return True
    if [word.low for word in words[i + 1 : i + 2]] == ["-"] and words[i].low in _DEMONSTRATIVES:
        if i and words[i - 1].low in ("que", "qu'", "comme"):
            return True
        nouns = taken_up([t for t in sentence.tokens if t.end <= start])
        return mention.gender not in genders(nouns, "fr", None)  # le même produit que celui-ci
    return is_said_before(sentence, words, i) or (words[i].low in _PERSONAL and is_unsaid(sentence, mention.number))


def _fits_another(sentence: Sentence, words: Sequence[FrenchWord], mention: Occurrence) -> bool:
    """*une tâche, jusqu'à ce qu'il soit fini*: would the foil stand for a noun of a clause before?"""
    start = mention.index
    while start and words[start - 1].low not in _CLAUSES and (words[start - 1].low[0].isalpha()):
        start -= 1
    number = {"s": "Sing", "p": "Plur"}[mention.number] if words[mention.index].low in _PERSONAL else None
    return fits_another(sentence, words[start].start, _other(mention.gender), "fr", number)


def _is_decided(sentence: Sentence, words: Sequence[FrenchWord], mention: Occurrence) -> bool:
    """Does the sentence or its source tell the gender?"""
    start, personal = words[mention.index].start, words[mention.index].low in _PERSONAL
    several = words[mention.index].low in ("ceux", "celles")  # merci à ceux qui: no noun, but people
    number = {"s": "Sing", "p": "Plur"}[mention.number] if personal or several else None
    own, other = {mention.gender}, {_other(mention.gender)}
    if (
        mention.number == "s"
        and not tells_person(sentence)
        and has_determiner(sentence, start, _other(mention.gender))
    ):
        return False
    return is_decided(sentence, start, own, other, "fr", number=number, personal=personal)


def _opens(sentence: Sentence, words: Sequence[FrenchWord], mention: Occurrence) -> bool:
    """*Elles sont …* for *They are …*: of a noun that was said before."""
    return words[mention.index].low in _SUBJECTS and opens_both(sentence, words[mention.index].start)


def _is_said_again(words: Sequence[FrenchWord], mentions: Sequence[Occurrence], mention: Occurrence) -> bool:
    """*Elle doit être là pour que vous puissiez la choisir*: the other one would keep the gender."""
    alike = (m for m in mentions if (m.gender, m.number) == (mention.gender, mention.number))
    return any(m.index != mention.index and words[m.index].low in _PERSONAL for m in alike)


def _is_one_of(sentence: Sentence, words: Sequence[FrenchWord], mention: Occurrence) -> bool:
    """*aucune de ces merveilles*: the noun behind it tells its gender."""
    i = mention.index
    if words[i].low not in _INDEFINITES or i + 1 >= len(words) or words[i + 1].low not in ("de", "des"):
        return False
    behind = [t for t in sentence.tokens if t.start > words[i + 1].start][:3]
    noun = next((t for t in behind if t.pos == "NOUN"), None)
    return noun is not None and noun.morph.get("Gender") == {"m": "Masc", "f": "Fem"}[mention.gender]


def _is_counted(words: Sequence[FrenchWord], mention: Occurrence) -> bool:
    """*il en contient un*; not *une des trois options*, whose noun follows."""
    behind = words[mention.index + 1].low if mention.index + 1 < len(words) else ""
    return words[mention.index].low in ("un", "une") and behind not in ("de", "des", "d'")


def _follows_indefinite(sentence: Sentence, words: Sequence[FrenchWord], mention: Occurrence) -> bool:
    """*une partie …, s'il y en a une*: *en* takes up *une partie* or *des parties*, hardly *la partie*."""
    return has_indefinite(sentence, words[mention.index].start, mention.gender)


def _at_odds(words: Sequence[FrenchWord], chain: Sequence[Occurrence]) -> bool:
    """Two pronouns of one clause (il le voit) do not mean the same."""
    for first, second in itertools.pairwise(chain):
        between = words[first.index + 1 : second.index]
        if not any(word.low in _CLAUSES or not word.low[0].isalpha() for word in between if word.low != "-"):
            return True
    return False


perturbation = Perturbation(
    name="pronoun_gender",
    language="fr",
    summary="the gender of a third-person pronoun is changed, with the words that agree with it",
    conditions=(
        "il, elle, ils, elles as subjects, before or behind the verb; predicates after être, sembler, devenir, "
        "rester, avoir l'air, participles with être, fronted étant …, floating tous agree, coordinated ones too.",
        "le, la, l', les as objects and -le, -la behind an imperative; participles after avoir and adjectives of "
        "the object agree; l' and les change only where another word shows their gender, and are weak: not chosen.",
        "lui, elle, eux, elles under stress; celui, celle, ceux, celles; le mien …; un, une with en; chacun, aucun.",
        "One mention at a time, and all of one gender and number together (chain; weak with two in one clause).",
        "Impersonal il (il y a, il faut, il s'agit, s'il te plaît …) and le for a clause stay as they are, le and l' "
        "that may stand for one (le faire) are weak, and so is a foil that goes with a noun of the clauses before "
        "(une tâche, jusqu'à ce qu'il finisse), a pronoun that the annotation takes for another word, and one with a "
        "word behind it that should agree and stays (ils sont moins sujet à); elision is kept right (s'il, si elle; "
        "d'elle, de lui).",
        "Weak too: un, une behind a noun of persons (un docteur … en voir un); what may mean a name without an "
        "article (KMouth … le configurer) or a thing of the text before (si vous lui donnez un nom, il …).",
        "Chosen only where the gender is told: by he or she in an English source, by a noun of a clause before with "
        "no noun of the foil's gender and no program's name before the pronoun, or behind it (aucune de ces "
        "merveilles); un, une with en only behind an indefinite noun (des clés … j'en ai une); or, tagged "
        "needs_context, where a subject opens the text, is not said again, and it or they "
        "opens the source.",
    ),
    examples=(
        Example("Elle était fermée à clé.", "Il était fermé à clé."),
        Example("Je sais qu'ils seront émus et inspirés.", "Je sais qu'elles seront émues et inspirées."),
        Example("S'ils sont nuls, je pars.", "Si elles sont nulles, je pars."),
        Example("Je les ai achetés ce matin.", "Je les ai achetées ce matin."),
        Example("Non, amène-la ici, s'il te plaît.", "Non, amène-le ici, s'il te plaît."),
        Example("Celui-ci est différent.", "Celle-ci est différente."),
        Example("Il y a du monde.", None),
        Example("Il faut partir.", None),
    ),
    function=_regendered,
)
