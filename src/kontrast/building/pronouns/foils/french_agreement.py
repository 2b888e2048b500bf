"""Words that agree with a French subject far from it: changed with it, or named where that is not sure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence, Set
from itertools import pairwise

from kontrast.building.errors.fr.agreement import Change, verb_of
from kontrast.building.errors.fr.fronted import SUBJECTS
from kontrast.language.annotation import Sentence, Token
from kontrast.language.french import AVOIR, CLITICS, COPULAS, ETRE, FILLERS
from kontrast.language.french_words import FrenchWord
from kontrast.language.lexicons.french import Gender, Number, agreeing, is_finite, is_form, lemmas, noun_genders
from kontrast.language.lexicons.lefff import lemmas_of

__all__ = ["far_agreement", "is_adverb", "is_ill_agreed", "kept_word"]

_JOINING = frozenset("et ou mais puis ni".split())
_ENDS = frozenset(". ; : ! ? … ( ) « » qui que qu' dont où".split())
_SUBJECTS = SUBJECTS | {"cela", "ça"}
_REFLEXIVE = ("trouv", "retrouv", "sent", "montr", "révèl", "révél", "avèr", "avér", "cro", "sav", "crur", "crut")
"""Beginnings of verbs whose predicate agrees where they are reflexive: *se sentir*."""
_AS_ADVERB = frozenset(
    "cher fort haut bas droit dur clair court faux juste net gros lourd bon mauvais plein profond grand frais chaud "
    "froid tout soudain exprès ferme vrai".split()
)
_BEFORE_PREDICATES = frozenset("le la un une les des mes tes ses nos vos leurs mon ton son ma ta sa".split())
_BEFORE_NOUNS = frozenset(
    "le la les l' un une des de d' du au aux ce cet cette ces mon ton son ma ta sa mes tes ses notre votre nos vos "
    "leur leurs chaque quelques plusieurs certains certaines aucun aucune à en par pour sans sous sur dans avec "
    "entre vers chez comme contre".split()
)


def is_ill_agreed(words: Sequence[FrenchWord], pronoun: int, gender: Gender, number: Number) -> bool:
    """*Elle est utilisé*: is a participle of the reference in another gender or number than its subject?

    Or a second subject in another number than its verb: *lorsqu'il auront gagné*.
    """
    for one, verb in pairwise(words):
        if one.low in ("il", "elle") and verb.low.endswith("ont"):
            return True
    for j in _own_verbs(words, pronoun):
        k = _past_adverbs(words, j + 1)
        if k < len(words) and _is_of_another(words[k], gender, number):
            return True
    for j in _chain(words, pronoun):
        joined = j > 1 and words[j - 1].low in ("et", "ou") and words[j - 2].pos in ("NOUN", "PROPN")
        if joined and _is_passive(words, pronoun) and _is_of_another(words[j], gender, number):
            return not is_finite(words[j].low) and not _starts_a_noun(words, j)
    return False


def far_agreement(
    words: Sequence[FrenchWord], pronoun: int, gender: Gender, number: Number, changed: Set[int]
) -> tuple[list[Change], str]:
    """What else changes with a subject of this gender, and the word that would stay, if one does."""
    changes: list[Change] = []
    for k in (_past_adverbs(words, j + 1) for j in (*_own_verbs(words, pronoun), *_infinitive(words, pronoun))):
        if k < len(words) and _is_unknown(words[k]):
            return changes, words[k].low
        if k + 1 < len(words) and words[k].low in _BEFORE_PREDICATES:
            noun = next((w for w in words[k + 1 : k + 4] if w.pos == "NOUN"), None)
            if noun is not None and k not in changed and noun_genders(noun.low) == {gender}:
                return changes, noun.low  # elle est la capitale
    for j in _chain(words, pronoun):
        if j in changed or not _is_of_only(words[j], gender, number) or _is_in_a_phrase(words, j):
            continue
        new = agreeing(words[j].low, "f" if gender == "m" else "m", number, "ka")
        if is_finite(words[j].low) and not _is_passive(words, pronoun):
            continue  # il coupe du bois et produit …
        if new is None or is_finite(words[j].low) or not _goes_with(words, pronoun, j):
            return changes, words[j].low
        changes.append((j, new))
    return changes, ""


def _infinitive(words: Sequence[FrenchWord], pronoun: int) -> Iterator[int]:
    """*ils pourraient être vos amis*: *être* right behind the verb."""
    at = verb_of(words, pronoun)
    if at is not None and (i := _past_adverbs(words, at[1])) < len(words) and words[i].low == "être":
        yield i


def _chain(words: Sequence[FrenchWord], pronoun: int) -> Iterator[int]:
    """The words behind a subject's verb up to the next clause that has its own."""
    at = verb_of(words, pronoun)
    if at is None:
        return
    own = set(_own_verbs(words, pronoun))
    for j in range(at[1], len(words)):
        low = words[j].low
        if low in _ENDS or (low in _SUBJECTS and not (low in ("nous", "vous") or words[j - 1].low == "-")):
            return
        if low in ETRE | AVOIR and j not in own and words[j].pos in ("AUX", "VERB"):
            return
        yield j


def _own_verbs(words: Sequence[FrenchWord], pronoun: int) -> Iterator[int]:
    """Where a form of *être* stands that has this subject: its verb, *a été*, and *et est*, *et a été* later on."""
    at = verb_of(words, pronoun)
    if at is None:
        return
    verb, start = at
    if words[verb].low in ETRE:
        yield start - 1
    elif words[verb].low in AVOIR:
        i = _past_adverbs(words, start)
        if i < len(words) and words[i].low == "été":
            yield i
    for j in range(start, len(words)):
        if words[j].low in _ENDS or words[j].low in _SUBJECTS - {"nous", "vous"}:
            return
        before = j - 1
        while before > start and words[before].low in CLITICS:
            before -= 1
        if words[before].low not in _JOINING:
            continue
        if words[j].low in ETRE:
            yield j
        elif words[j].low in AVOIR and (i := _past_adverbs(words, j + 1)) < len(words) and words[i].low == "été":
            yield i


def _is_passive(words: Sequence[FrenchWord], pronoun: int) -> bool:
    """Has it a verb whose predicate agrees: *être*, *sembler*?"""
    at = verb_of(words, pronoun)
    if at is None:
        return False
    near = [w.low for w in words[at[0] : at[0] + 5]]
    return any(True for _ in _own_verbs(words, pronoun)) or near[0].startswith(COPULAS) or "être" in near


def _goes_with(words: Sequence[FrenchWord], pronoun: int, j: int) -> bool:
    """Is it sure that a word agrees with the subject: joined to a predicate of *être*, behind *se trouver*?"""
    if words[j - 1].low in ("et", "ou", "puis") and _is_passive(words, pronoun):
        return not _is_in_a_phrase(words, j - 2) or words[j - 2].pos in ("NOUN", "PROPN")
    verb, start = verb_of(words, pronoun) or (j, j)
    reflexive = any(w.low in ("se", "s'") for w in words[pronoun:verb])
    return reflexive and words[verb].low.startswith(_REFLEXIVE) and _past_adverbs(words, start) == j


def _is_in_a_phrase(words: Sequence[FrenchWord], j: int) -> bool:
    """*une porte fermée*, *la vieille porte*, *a fermé*, *des fruits frais et séchés*: has it a noun of its own?"""
    low, i = words[j].low, j - 1
    if low in _AS_ADVERB or _starts_a_noun(words, j):
        return True
    while i > 0 and (words[i].low in FILLERS or words[i].low.endswith("ment")) and words[i].pos != "NOUN":
        i -= 1
    before = words[i]
    if before.pos in ("NOUN", "PROPN", "NUM") or before.low in AVOIR or before.low in _BEFORE_NOUNS:
        return True
    if before.low == "-" or before.low.isdigit():
        return True
    if before.low in _JOINING | {","} and i > 1 and words[i - 1].pos not in ("NOUN", "PROPN"):
        return words[i - 1].pos in ("ADJ", "VERB") and _is_in_a_phrase(words, i - 1)
    if lemmas(before.low, "ka") and before.pos in ("ADJ", "VERB"):
        return _is_in_a_phrase(words, i)
    return False


def _starts_a_noun(words: Sequence[FrenchWord], j: int) -> bool:
    return words[j].pos == "NOUN" or (j + 1 < len(words) and words[j + 1].pos in ("NOUN", "PROPN"))


def _past_adverbs(words: Sequence[FrenchWord], i: int) -> int:
    while i < len(words) and (words[i].low in FILLERS or (words[i].low.endswith("ment") and words[i].pos != "NOUN")):
        i += 1
    return i


def _is_of_only(word: FrenchWord, gender: Gender, number: Number) -> bool:
    other: Gender = "f" if gender == "m" else "m"
    agrees = is_form(word.low, gender, number) and not is_form(word.low, other, number)
    return agrees and word.low not in ("été", "tout", "toute", "tous", "toutes") and word.pos not in ("ADP", "ADV")


def _is_of_another(word: FrenchWord, gender: Gender, number: Number) -> bool:
    """A participle that cannot have this gender and number."""
    if not lemmas(word.low, "k") or word.low in ("été", *_AS_ADVERB) or word.pos == "NOUN":
        return False
    return not is_form(word.low, gender, number)


def _is_unknown(word: FrenchWord) -> bool:
    """*sèchées*, *dissout*: may it agree, though the lexicon knows no such adjective or participle?"""
    if not lemmas_of(word.low):
        return word.pos in ("ADJ", "VERB") or word.low.endswith(("é", "ée", "és", "ées"))
    return is_finite(word.low) and not lemmas(word.low) and word.pos in ("ADJ", "VERB") and word.low not in FILLERS


_FIXED = frozenset(
    "été tout toute tous toutes même cher fort haut bas dur net juste court faux clair bon mauvais droit vrai "
    "soudain seul compris vu excepté passé sauf plein tel telle certain certaine quel quelle dit fait sûr "
    "exprès lourd possible impossible nécessaire ensemble mieux moins plus".split()
)
"""Adverbs, prepositions and words that are often said of nothing."""
_UP = ("conj", "xcomp", "acomp", "advcl", "parataxis", "ccomp", "advmod", "obl:mod", "dep", "cop", "aux", "aux:pass")
_WITH_NOUNS = ("amod", "acl", "acl:relcl", "det", "nmod", "appos", "fixed", "flat:name", "case", "compound", "obj")
_ENDINGS = {"m": ("é", "ant", "if", "el"), "f": ("ée", "ante", "ive", "elle", "euse")}
"""Of words that are misspelt: *raffraichissante*."""
_STOPS = frozenset(".;:!?…")


def kept_word(sentence: Sentence, pronoun: int, gender: Gender, number: Number, changed: Set[int]) -> str:
    """The first such word, from the sign before the pronoun's clause on.

    ``pronoun`` is the subject's token, ``changed`` are the starts of words that change with it.
    """
    tokens = sentence.tokens
    first = max((k + 1 for k in range(pronoun) if tokens[k].text in _STOPS), default=0)
    for k, token in enumerate(tokens):
        if k < first or k == pronoun or token.start in changed or token.text.lower() in _FIXED:
            continue
        before = tokens[k - 1].text.lower() if k else ""
        joined = k > 1 and before in ("et", "ou") and tokens[k - 2].start in changed  # défaits et sujets à
        if (token.pos not in ("ADJ", "VERB", "ADV") and not joined) or before == "en":  # en glissant
            continue
        if _is_of(token, gender, number) and not _has_its_own(tokens, k, pronoun, gender, changed):
            return token.text
    return ""


def _is_of(token: Token, gender: Gender, number: Number) -> bool:
    """Has it this gender and number only, by the lexicon, or by its ending where that does not know it?"""
    low = token.text.lower()
    other: Gender = "f" if gender == "m" else "m"
    if lemmas_of(low):
        return bool(lemmas(low, "ka")) and is_form(low, gender, number) and not is_form(low, other, number)
    return low.endswith(tuple(end + ("s" if number == "p" else "") for end in _ENDINGS[gender]))


def _has_its_own(tokens: Sequence[Token], k: int, pronoun: int, gender: Gender, changed: Set[int]) -> bool:
    """Has it a noun or another subject, or is it the participle of a perfect?"""
    if k + 1 < len(tokens) and _is_host(tokens[k + 1]):
        return True
    if k and (tokens[k - 1].pos == "DET" or _is_host(tokens[k - 1])):
        return True
    if _is_perfect(tokens, k) or tokens[k].morph.get("VerbForm") in ("Fin", "Inf"):
        return True
    at, seen = k, set()
    while at >= 0 and at not in seen:
        seen.add(at)
        subject = next((t for t in tokens if t.head == at and t.relation.startswith(("nsubj", "expl:subj"))), None)
        if subject is not None:
            return subject.start not in changed and subject.start != tokens[pronoun].start
        head = tokens[at].head
        if head >= 0 and _is_host(tokens[head]) and tokens[at].relation in (*_WITH_NOUNS, "conj"):
            known = noun_genders(tokens[head].text.lower())
            return not known or gender in known
        if tokens[at].relation not in _UP:
            return False
        at = head
    return False


def _is_host(token: Token) -> bool:
    return token.pos in ("NOUN", "PROPN", "NUM") and not is_adverb(token.text)


def is_adverb(text: str) -> bool:
    """*Somptueusement*, which the annotator takes for a noun where it opens a sentence."""
    return text.lower().endswith("ment") and len(text) > 6 and not noun_genders(text.lower())


def _is_perfect(tokens: Sequence[Token], k: int) -> bool:
    """*a fermé*, *avait jamais vu*: a participle with *avoir* within the three words before it; not *a été fermé*."""
    near = [t.text.lower() for t in tokens[max(k - 3, 0) : k]]
    return "été" not in near and any(low in AVOIR for low in near) and tokens[k].pos == "VERB"
