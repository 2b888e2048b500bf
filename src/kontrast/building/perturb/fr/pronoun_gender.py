"""The gender of a French third-person pronoun changed, with every word that must agree with it."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence

import msgspec

from kontrast.building.perturb.fr.agreement import Change, with_object, with_subject
from kontrast.building.perturb.fr.words import Word, words_of
from kontrast.building.perturb.perturbation import Candidate, Example, Perturbation, candidate
from kontrast.building.perturb.text import like
from kontrast.language.annotation import Sentence
from kontrast.language.french import AVOIR, ETRE, IMPERSONAL
from kontrast.language.lexicons.french import Gender, Number, noun_genders

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
_PREPOSITIONS = frozenset(
    "à de d' pour avec sans chez sur sous par vers contre entre devant derrière dans en selon après avant malgré "
    "parmi envers hors quant".split()
)
_BEFORE_OBJECT = frozenset("ne n' je j' tu me m' te t' on se".split())
"""Behind these *le*, *la*, *les* can only be objects."""
_NEUTER = (
    "sai",
    "sav",
    "su",
    "dis",
    "dit",
    "dir",
    "doi",
    "dev",
    "peu",
    "pou",
    "pu",
    "jur",
    "espér",
    "promet",
    "promis",
)
"""Beginnings of verbs before which *le* most often stands for a clause, not for a thing."""


_OF_SENTENCES = (
    *_NEUTER,
    "fai",
    "fer",
    "fon",
    "fît",
    "cro",
    "crû",
    "prédi",
    "pens",
    "voul",
    "veu",
    "compren",
    "compri",
    "expliqu",
)
_OF_PEOPLE = frozenset(
    "content heureux fier capable incapable sûr ravi triste conscient désolé convaincu persuadé susceptible libre "
    "prêt obligé forcé contraint chargé accusé soupçonné las fatigué responsable membre victime originaire né venu "
    "mort plein couvert entouré composé doté accompagné suivi digne proche loin amoureux jaloux curieux inquiet en "
    "un une le la ce là à dans de tout".split()
)
"""Between *il est* and *de* or *que* these say something of a person or thing, other words of what follows."""
_PERSONAL = frozenset("il elle ils elles le la l' les lui eux".split())
_ASKED = frozenset((("s'", "agi"), ("se", "fai"), ("se", "peu"), ("se", "pou")))
_CLAUSES = frozenset("que qu' qui quand si s' lorsque lorsqu' comme et ou mais car donc puis où dont ni".split())


class Mention(msgspec.Struct, frozen=True):
    """An occurrence that can change: its gender and number, and all its changes."""

    index: int
    gender: Gender
    number: Number
    changes: tuple[Change, ...]
    sure: bool = True
    """Is it certain that the pronoun stands for a thing, not for a sentence?"""


def _mentions(words: Sequence[Word]) -> Iterator[Mention]:
    for i, word in enumerate(words):
        if word.low in _SUBJECTS and _is_subject(words, i):
            gender, number, new = _SUBJECTS[word.low]
            if not _impersonal(words, i):
                yield _mention(i, gender, number, [(i, new), *with_subject(words, i, _other(gender), number)])
        elif word.low in _STRESSED and _is_stressed(words, i):
            gender, number, new = _STRESSED[word.low]
            among = i > 0 and words[i - 1].low in ("entre", "parmi")  # beaucoup d'entre elles sont tombées
            agreeing = with_subject(words, i, _other(gender), number) if among else []
            yield _mention(i, gender, number, [(i, new), *agreeing])
        elif word.low in _DEMONSTRATIVES:
            gender, number, new = _DEMONSTRATIVES[word.low]
            subject = i + 2 if [w.low for w in words[i + 1 : i + 3]] in (["-", "ci"], ["-", "là"]) else i
            if subject == i and i + 1 < len(words) and words[i + 1].low == "qui":
                subject = i + 1
            yield _mention(i, gender, number, [(i, new), *with_subject(words, subject, _other(gender), number)])
        elif word.low in ("le", "la", "l'", "les") and _is_clitic(words, i):
            yield from _object(words, i)
        elif word.low in ("le", "la") and i and words[i - 1].low == "-" and _imperative(words, i - 2):
            gender = "m" if word.low == "le" else "f"
            yield _mention(i, gender, "s", [(i, "la" if gender == "m" else "le")])
        elif word.low in _POSSESSED:
            yield from _possessed(words, i)
        elif word.low in ("un", "une") and _counts_nothing(words, i):
            gender = "m" if word.low == "un" else "f"
            yield _mention(i, gender, "s", [(i, "une" if gender == "m" else "un")])
        elif word.low in _INDEFINITES and not (i + 1 < len(words) and words[i + 1].pos in ("NOUN", "ADJ")):
            gender, number, new = _INDEFINITES[word.low]
            yield _mention(i, gender, number, [(i, new)])


def _mention(index: int, gender: Gender, number: Number, changes: list[Change], sure: bool = True) -> Mention:
    return Mention(index, gender, number, tuple(changes), sure)


def _is_of_sentences(words: Sequence[Word], i: int) -> bool:
    """*le faire*, *l'avait prédit*: of a verb of doing, saying or knowing *le* may be a whole sentence."""
    return any(word.low.startswith(_OF_SENTENCES) for word in words[i + 1 : i + 4])


def _other(gender: Gender) -> Gender:
    return "f" if gender == "m" else "m"


def _object(words: Sequence[Word], i: int) -> Iterator[Mention]:
    low = words[i].low
    number: Number = "p" if low == "les" else "s"
    if low in ("le", "la"):
        behind = words[i + 1].low if i + 1 < len(words) else ""
        if low == "le" and (behind in ETRE or behind in AVOIR or behind.startswith(_NEUTER)):
            return
        gender: Gender = "m" if low == "le" else "f"
        _, changes = with_object(words, i, _other(gender), number)
        sure = not (low == "le" and _is_of_sentences(words, i))
        yield _mention(i, gender, number, [(i, "la" if gender == "m" else "le"), *changes], sure)
    else:
        new_gender, changes = with_object(words, i, None, number)
        if new_gender is not None and changes:
            sure = not (low == "l'" and new_gender == "f" and _is_of_sentences(words, i))
            yield _mention(i, _other(new_gender), number, changes, sure)


def _possessed(words: Sequence[Word], i: int) -> Iterator[Mention]:
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


def _is_subject(words: Sequence[Word], i: int) -> bool:
    if words[i].low in ("il", "ils") or (i and words[i - 1].low == "-"):
        return True
    if i and words[i - 1].low in _PREPOSITIONS:
        behind = words[i + 1] if i + 1 < len(words) else None
        # après, avant … are adverbs too: Après elles sont libres.
        loose = words[i - 1].low in ("après", "avant", "devant", "derrière") and behind is not None
        return loose and behind is not None and (behind.low in ETRE or behind.low in AVOIR or behind.pos == "VERB")
    j = i + 1
    while j < len(words) and words[j].low in (".", "…"):  # elle... s'est éteinte
        j += 1
    if (
        j >= len(words)
        or not words[j].low[0].isalpha()
        or (j > i + 1 and words[j].pos not in ("VERB", "AUX", "PRON"))
    ):
        return False
    if words[j].low in (
        "qui",
        "que",
        "qu'",
        "et",
        "ou",
        "aussi",
        "non",
        "seule",
        "seules",
        "de",
        "à",
        "dans",
        "pour",
    ):
        return False
    if words[j].low in ("le", "la", "les"):
        return j + 1 < len(words) and not (words[j + 1].pos == "NOUN" and noun_genders(words[j + 1].low))
    return True


def _is_stressed(words: Sequence[Word], i: int) -> bool:
    before = words[i - 1].low if i else ""
    if words[i].low != "lui":
        return True
    behind = words[i + 1].low if i + 1 < len(words) else ""
    if behind[:1].isalpha() and behind not in ("aussi", "et", "qui", "non", "seul"):
        return before in _PREPOSITIONS
    return before in _PREPOSITIONS or before in (
        "que",
        "qu'",
        "est",
        "sont",
        "était",
        "comme",
        "et",
        "ou",
        "ni",
        "mais",
    )


def _impersonal(words: Sequence[Word], i: int) -> bool:
    if words[i].low != "il":
        return False
    verb = i - 2 if i > 1 and words[i - 1].low == "-" else i + 1
    if verb < i and words[verb].low == "t" and verb > 1:
        verb -= 2
    following = [w.low for w in words[verb : verb + 4]]
    if following[:1] == ["ne"]:
        following = following[1:]
    plain = [word for word in following if word != "n'"]
    if verb < i:
        following = plain = following[:1]
        before = words[verb - 1].low if verb else ""
        if before == "y" or (before, words[verb].low[:3]) in _ASKED:
            return True  # y a-t-il, s'agit-il, comment se fait-il
    if plain[:1] == ["y"] and any(word in AVOIR or word in ("avoir", "en") for word in plain[1:3]):
        return True
    if i and words[i - 1].low == "s'" and {"plaît", "plait"} & set(following):
        return True
    if any(tuple(f[: len(p)]) == p for p in IMPERSONAL for f in (following, plain)):
        return True
    # il est rare que …, il est difficile de …: an adjective of the clause that follows
    if verb > i and plain[:1] and plain[0] in ETRE:
        rest = [
            w.low
            for w in words[verb + 1 : verb + 6]
            if w.low not in ("pas", "n'", "plus", "très", "trop", "si", "donc")
        ]
        return len(rest) > 1 and rest[1] in ("que", "qu'", "de", "d'") and rest[0] not in _OF_PEOPLE
    return False


def _is_clitic(words: Sequence[Word], i: int) -> bool:
    if i and words[i - 1].low == "-":
        return False
    if i + 1 >= len(words):
        return False
    behind = words[i + 1]
    if behind.pos == "ADJ" or behind.low in ("premier", "premiers", "dernier", "derniers", "seul"):
        return False
    if words[i].low == "l'" and (behind.low in AVOIR or behind.low in ETRE):
        return behind.low != "es" and words[i].pos != "DET"
    if behind.low in AVOIR and words[i].low == "les":
        return True
    if behind.low in ("un", "une", "on", "autre", "air"):
        return False
    before = words[i - 1] if i else None
    if before is not None and before.low in _BEFORE_OBJECT:
        return True
    if behind.low in ("lui", "leur", "y", "en"):
        return True
    if behind.low.endswith(("er", "ir", "re", "oir")) and (behind.pos == "VERB" or not noun_genders(behind.low)):
        return before is not None and behind.pos in ("VERB", "AUX", "NOUN")
    after_verb = before is not None and (
        before.pos in ("VERB", "AUX", "ADV") or before.low in ("de", "pour", "à", "sans")
    )
    if (
        behind.low.endswith("er")
        and after_verb
        and behind.low not in ("dîner", "déjeuner", "goûter", "danger", "hiver")
    ):
        return True
    return words[i].pos == "PRON" and behind.pos in ("VERB", "AUX")


def _imperative(words: Sequence[Word], i: int) -> bool:
    if i + 3 < len(words) and words[i + 3].low == "-" and words[i + 4 : i + 5]:
        # amène-le-moi, but not Montigny-le-Bretonneux
        return words[i + 4].low in ("moi", "toi", "lui", "leur", "nous", "vous", "y", "en")
    return (
        i >= 0
        and words[i].low.isalpha()
        and words[i].low not in ("ci", "là", "celui", "celle")
        and words[i].pos not in ("DET", "PROPN")
    )


def _counts_nothing(words: Sequence[Word], i: int) -> bool:
    """*j'en ai une*, *prends-en un*: no noun behind it, and *en* before it in the clause."""
    behind = words[i + 1] if i + 1 < len(words) else None
    if (
        behind is not None
        and behind.pos in ("NOUN", "ADJ", "PROPN", "NUM", "ADV")
        and behind.low not in ("aussi", "ici")
    ):
        return False
    for j in range(i - 1, max(i - 7, -1), -1):
        if words[j].low in (",", ";", ".", "?", "!"):
            return False
        if words[j].low == "en":
            return True
    return i > 0 and words[i - 1].low == "l'"


def _edits(
    sentence: Sentence, words: Sequence[Word], changes: Sequence[Change], elide: bool = True
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
        yield (good := candidate("pronoun_gender", sentence, edits, weak=not mention.sure))
        # As published sets do it: elision as it was, and one agreeing word changed, or none.
        pronoun, *agreeing = mention.changes
        for some in (agreeing, *([one] for one in agreeing), []):
            edits = _edits(sentence, words, [pronoun, *some], elide=False)
            yield candidate("pronoun_gender", sentence, edits, mended=good.text)
    for gender, number in dict.fromkeys((m.gender, m.number) for m in mentions):
        chain = [m for m in mentions if (m.gender, m.number) == (gender, number)]
        if len(chain) > 1:
            changes = [change for mention in chain for change in mention.changes]
            sure = all(m.sure and words[m.index].low in _PERSONAL for m in chain) and not _at_odds(words, chain)
            edits = _edits(sentence, words, changes)
            yield candidate("pronoun_gender", sentence, edits, chain=True, weak=not sure)


def _at_odds(words: Sequence[Word], chain: Sequence[Mention]) -> bool:
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
        "the object agree; l' and les change only where another word shows their gender.",
        "lui, elle, eux, elles under stress; celui, celle, ceux, celles; le mien …; un, une with en; chacun, aucun.",
        "One mention at a time, and all of one gender and number together (chain; weak with two in one clause).",
        "Impersonal il (il y a, il faut, il s'agit, s'il te plaît …) and le for a clause stay as they are, le and l' "
        "that may stand for one (le faire) are weak; elision is kept right (s'il, si elle; d'elle, de lui).",
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
