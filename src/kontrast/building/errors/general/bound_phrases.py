"""A phrase that can hardly be left out: its verb or the words around it ask for it, or it says nothing new.

What says nothing new is in ``saying_little``.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection, Mapping, Sequence
from itertools import pairwise
from typing import Any, NamedTuple

from kontrast.building.errors.general.saying_little import says_little, says_nothing_new
from kontrast.language.annotation import Sentence, Token
from kontrast.language.lexicons.french import lemmas
from kontrast.language.lexicons.lefff import facts_of, lemmas_of

__all__ = ["PhraseWords", "is_bound", "phrase_words", "subtree"]

_LEFTOVER = re.compile(r"[,;:][,;:.!?]")
"""Two marks side by side, which a phrase stood between."""
_WHICH = re.compile(r"l(?:equel|aquelle|esquel(?:le)?s)|qui")
_OWN = frozenset(("NOUN", "PROPN", "ADJ", "NUM", "X"))
"""What stands behind a phrase and may belong to its noun."""


class PhraseWords(NamedTuple):
    """The words that a language declares of its clauses; none of them where it declares nothing."""

    openers: frozenset[str]
    """What opens clauses."""
    adjuncts: frozenset[str]
    """Prepositions of adverbials."""
    complemented: frozenset[str]
    """Verbs that want to be told where."""
    bare: frozenset[str]
    """Verbs that are odd with nothing behind them."""
    together: frozenset[str]
    """Verbs whose *with* (one of ``company``) is the other half of what they are done to."""
    company: frozenset[str]
    copulas: frozenset[str]
    auxiliaries: frozenset[str]
    origins: frozenset[str]
    goals: frozenset[str]
    relatives: frozenset[str]
    asking: frozenset[str]
    one: frozenset[str]
    other: frozenset[str]
    pointing: frozenset[str]
    """What points into the text: *ci*-dessus."""
    settings: frozenset[str]
    """Places that go without saying where nothing more is told of them: *dans le fichier*."""
    framing: frozenset[str]
    """What tells no more of such a place: *dans le document actif*."""
    likening: frozenset[str]
    """What compares: *comme vous le feriez avec une table*."""
    local: frozenset[str]
    """Prepositions of places, which verbs of motion and the like ask for."""
    resuming: frozenset[str]
    """What opens a main clause behind a condition: *Si …, alors …*."""
    joining: frozenset[str]
    """What joins a clause to one before it."""
    conditions: frozenset[str]
    """What opens conditions."""
    instances: frozenset[str]
    """What opens examples of the noun before: *tel*, *comme*."""
    focusing: frozenset[str]
    """What says something of the very phrase that follows: *uniquement*, *notamment*."""
    purposes: frozenset[str]
    """What opens another adverbial with a verb, which does not belong to the noun before it."""
    negating: frozenset[str]
    """Negative words, and those that they need."""
    agents: frozenset[str]
    """Prepositions inside a phrase that belong to the verb rather."""
    vague: frozenset[str]
    """Nouns and pronouns that tell little: *avec quelqu'un*."""
    counterparts: Mapping[str, Collection[str]]
    """English words for prepositions."""


def phrase_words(declared: Mapping[str, Any]) -> PhraseWords:
    """Those of the table that a language declares."""
    lists = (frozenset(declared.get(key, ())) for key in PhraseWords._fields[:-1])
    return PhraseWords._make((*lists, declared.get("counterparts", {})))


def is_bound(sentence: Sentence, i: int, first: int, last: int, words: PhraseWords) -> bool:
    """Would the sentence without the phrase be broken or odd, or say the same? ``i`` is the phrase's noun."""
    return (
        _is_asked_for(sentence, i, first, words)
        or _is_half(sentence, i, first, last, words)
        or _goes_on(sentence, first, last, words)
        or _tears_noun(sentence, last, words)
        or _is_taken_up(sentence, i, last)
        or _parts_verb_and_object(sentence, i, first, last)
        or _takes_verb_along(sentence, first, last, words)
        or _leaves_marks(sentence, first, last)
        or says_nothing_new(sentence, first, last)
        or says_little(sentence, i, first, last, words.company, words.settings, words.framing)
    )


def _is_asked_for(sentence: Sentence, i: int, first: int, words: PhraseWords) -> bool:
    """*est déjà dans*, *mettre les mots donnés dans l'ordre*, *un obstacle utilisé dans*, *combiner avec*."""
    tokens = sentence.tokens
    before = first - 1
    while before and tokens[before].pos == "ADV":
        before -= 1
    if tokens[before].lemma in words.copulas or tokens[first - 1].text.lower() in words.focusing:
        return True  # uniquement avec des pistes
    in_company = before and tokens[before].pos == "NOUN" and tokens[before - 1].text.lower() in words.purposes
    if words.local and _is_left_alone(tokens, first, words):
        return True
    if in_company and tokens[first].text.lower() in words.company:
        return True  # en cohérence avec
    head = tokens[i].head
    verb = tokens[head] if head >= 0 else None
    if verb is None:
        return False
    own = {verb.lemma, *(lemmas_of(verb.text.lower()) if words.bare else ())}
    nearest = set(lemmas_of(tokens[before].text.lower())) if words.bare else set()
    if (own & words.complemented) or nearest & (words.bare | words.complemented):
        return True  # il place un mot dans; un temps compris dans
    left_bare = head == before and (bool(own & words.bare) or _is_goal(sentence, head, first, words))
    around = {lemma for t in tokens[max(0, first - 14) : first] for lemma in (t.lemma, *lemmas_of(t.text.lower()))}
    halved = tokens[first].text.lower() in words.company and bool((own | around) & words.together)
    return left_bare or halved or (verb.relation == "acl" and _is_of_complemented(sentence, verb, words))


def _is_left_alone(tokens: Sequence[Token], first: int, words: PhraseWords) -> bool:
    """*la valeur indiquée [dans val]*, *les fonctions actuellement [dans la pile]*: not said without the phrase."""
    before = tokens[first - 1]
    near = tokens[max(0, first - 4) : first - 1]
    alone = not any(words.auxiliaries & set(lemmas_of(t.text.lower())) for t in near)
    participle = before.pos in ("ADJ", "VERB") and alone and bool(lemmas(before.text.lower(), "k"))
    adverb = before.pos == "ADV" and before.text.endswith("ment") and first > 1 and tokens[first - 2].pos in _OWN
    return participle or adverb or tokens[first].text[0].isupper()


def _is_goal(sentence: Sentence, head: int, first: int, words: PhraseWords) -> bool:
    """*rentrer chez eux*, *exécutez dans un conteneur*; *les objets stockés dans la base*, *connue sous le nom*.

    A place directly behind its verb, which has no object, or any phrase behind a participle of a noun.
    """
    verb = sentence.tokens[head]
    if words.local and verb.relation.split(":")[0] == "acl" and verb.morph.get("VerbForm") == "Part":
        return True
    told = {sentence.tokens[k].relation for k in sentence.children(head)}
    return sentence.tokens[first].text.lower() in words.local and not told & {"obj", "aux:pass", "nsubj:pass"}


def _is_of_complemented(sentence: Sentence, participle: Token, words: PhraseWords) -> bool:
    """*Mets les mots donnés dans l'ordre*: the phrase may be the verb's whose object the participle's noun is."""
    noun = sentence.tokens[participle.head]
    verb = sentence.tokens[noun.head] if noun.head >= 0 else None
    return verb is not None and noun.relation == "obj" and verb.lemma in words.complemented


def _is_half(sentence: Sentence, i: int, first: int, last: int, words: PhraseWords) -> bool:
    """*dans l'album mais pas dans la liste*, *depuis le port vers la ville*; *qui joue avec quelle couleur*.

    And *l'une après l'autre*.
    """
    low = [token.text.lower() for token in sentence.tokens]
    behind = low[last + 1] if last + 1 < len(low) else ""
    joined = bool(behind) and sentence.tokens[last + 1].pos == "CCONJ" and low[first] in low[last + 2 : last + 4]
    from_to = low[first] in words.origins and behind in words.goals
    each_other = low[last] in words.other and bool(words.one & set(low[:first]))
    if joined or from_to or each_other or words.asking & set(low[first : last + 1]):
        return True
    if words.local and any(a == low[first] and _WHICH.fullmatch(b) for a, b in pairwise(low[:first])):
        return True  # avec lequel il veut rivaliser [avec le carnaval]
    head = sentence.tokens[i].head
    ends = (k for k in sentence.children(head) if k < first and max(subtree(sentence, k)) == first - 1)
    if low[first] in words.goals and words.origins & set(low[max(0, first - 6) : first]):
        return True  # du triplet vers le numéro
    return low[first] in words.goals and any(low[min(subtree(sentence, k))] in words.origins for k in ends)


def _goes_on(sentence: Sentence, first: int, last: int, words: PhraseWords) -> bool:
    """*dans la couleur que vous voulez*, *dans Édition → Copier*, *avec l'opérateur + est*, *avec le code :*.

    And *dans l'exemple ci-dessus*, whether that counts as part of the phrase or is left behind.
    """
    shown = sentence.tokens[first : last + 2]
    if shown[-1].text == ":" or sentence.tokens[last].text == ":":
        return True
    if any(token.text.lower().split("-")[0] in words.pointing for token in shown):
        return True
    after = sentence.tokens[last + 1] if last + 1 < len(sentence.tokens) else None
    if after is None:
        return False
    if after.morph.get("VerbForm") == "Fin" and sentence.tokens[first - 1].pos in ("CCONJ", "SCONJ", "PUNCT"):
        return True  # et [dans ce cas de nombreux clients] donnent: the subject is taken along
    relative = after.morph.get("PronType") == "Rel" or after.text.lower() in words.relatives
    return relative or unicodedata.category(after.text[0]) in ("Sm", "Sc", "Sk", "So", "Ps")


def _tears_noun(sentence: Sentence, last: int, words: PhraseWords) -> bool:
    """*depuis la vue | sources*, *avec une étiquette | précise*, *dans votre guerre | contre le Projet*.

    May what stands behind belong to the phrase's noun, though the tree hangs it elsewhere?
    """
    after, *rest = (*sentence.tokens[last + 1 : last + 4], None)
    if after is None or not words.local:
        return False
    if after.text == "," and rest[0] is not None and rest[0].text.lower() in words.instances:
        return True  # dans un format connu, | tel le WAV
    if after.pos == "CCONJ" and rest[0] is not None and rest[0].pos in _OWN:
        return True  # dans les programmes setuid | ou setgid
    if after.pos in _OWN or (after.pos == "VERB" and after.morph.get("VerbForm") == "Part"):
        return True
    opens = after.text.lower() in words.purposes and any(t is not None and t.pos == "VERB" for t in rest)
    return after.pos == "ADP" and not opens


def _is_taken_up(sentence: Sentence, i: int, last: int) -> bool:
    """*avec les différents niveaux pour trouver celui qui*, *le trou, puis en sortir*: a pronoun for its noun?"""
    noun, behind = sentence.tokens[i].morph, sentence.tokens[last + 1 :]
    return bool(noun.get("Gender")) and any(_may_mean(noun, token, after) for token, after in pairwise(behind))


def _may_mean(noun: Mapping[str, str], token: Token, after: Token) -> bool:
    """A pronoun of the third person in the noun's gender and number, or one that the tagger takes for an article."""
    own = token.morph
    demonstrative = own.get("PronType") == "Dem" and "Gender" in own
    personal = own.get("Person") == "3" and own.get("Reflex") != "Yes" and "Poss" not in own
    clitic = after.pos == "VERB" and (token.relation == "mark" or token.morph.get("PronType") == "Art")  # en sortir
    if not clitic and not (token.pos == "PRON" and (demonstrative or personal)):
        return False
    number = None if demonstrative else own.get("Number")
    return own.get("Gender", noun["Gender"]) == noun["Gender"] and (number or noun.get("Number")) == noun.get(
        "Number"
    )


def _parts_verb_and_object(sentence: Sentence, i: int, first: int, last: int) -> bool:
    """*vous pointez [dans Skrooge], toutes les opérations*: the comma is left between the verb and its object."""
    head, behind = sentence.tokens[i].head, sentence.tokens[last + 1 : last + 2]
    if not behind or behind[0].text != "," or not 0 <= head < first:
        return False
    return any(k > last and sentence.tokens[k].relation == "obj" for k in sentence.children(head))


def _takes_verb_along(sentence: Sentence, first: int, last: int, words: PhraseWords) -> bool:
    """*réduite [avant l'envoi et agrandie] à l'arrivée*: is a verb that belongs to the other taken for its part?

    Or one behind a comma: *pour faire feu [vers l'arrière, garde] enfoncé …*.
    """
    inside = sentence.tokens[first : last + 1]
    if inside[-1].pos != "PUNCT" and inside[-2].text == ",":
        return True
    if words.local and _is_only_verb(inside[-1]):
        return True  # cliquer [avec le bouton du milieu zoome]
    behind = sentence.tokens[last + 1 : last + 2]
    if inside[-2].pos == "CCONJ" and behind and behind[0].pos == "DET":
        return True  # [selon les paramètres et copie] les mots
    return any(one.pos == "CCONJ" and other.pos in ("VERB", "AUX") for one, other in pairwise(inside))


def _is_only_verb(token: Token) -> bool:
    """Has Lefff the word as a finite verb and as nothing else?"""
    low = token.text.lower()
    facts = [fact for lemma in lemmas_of(low) for fact in facts_of(lemma) if fact[2] == low]
    return bool(facts) and all(group == "v" and code[1:2] in ("1", "2", "3") for group, code, _ in facts)


def _leaves_marks(sentence: Sentence, first: int, last: int) -> bool:
    """*avec l'instruction radar();.*: the full stop goes too, or marks are left side by side."""
    text, (start, end) = sentence.text, (sentence.tokens[first].start, sentence.tokens[last].end)
    stop = sentence.text.rstrip()[-1:]
    rest = text[:start].rstrip() + text[end:]
    lost = stop in ".!?" and not rest.rstrip().endswith(stop)
    return lost or len(_LEFTOVER.findall(rest)) > len(_LEFTOVER.findall(text))


def subtree(sentence: Sentence, root: int) -> set[int]:
    """The word and all that depends on it."""
    found, left = set(), [root]
    while left:
        at = left.pop()
        if at not in found:
            found.add(at)
            left += sentence.children(at)
    return found
