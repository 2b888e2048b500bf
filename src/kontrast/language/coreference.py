"""What *it* and *they* refer to, whoever says so. Back ends are in ``kontrast.language.resolvers``.

From chains of mentions to ranked antecedents: what every resolver that gives chains shares.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, Protocol

import msgspec

from kontrast.language.annotation import Sentence, Token


class Use(msgspec.Struct, frozen=True):
    """What a pronoun stands for; ``reason`` says what tells.

    ``thing``: a noun; ``open``: a noun or a sentence; ``sentence``: rather a sentence; ``predicate``: *es ist ein …*,
    which goes with any gender; ``empty``: nothing; ``absent``: the word is no such pronoun (polite, plural, none).
    """

    kind: Literal["thing", "open", "sentence", "predicate", "empty", "absent"] = "thing"
    reason: str = ""


class Antecedent(msgspec.Struct, frozen=True):
    """A noun that a pronoun may refer to: its place in the document, and how well it fits (larger is better)."""

    sentence: int
    token: int
    score: float


class Resolver(Protocol):
    """Proposes antecedents of the pronoun at a place in a document, best first; ``document`` is its name."""

    name: str

    def antecedents(
        self, document: str, sentences: Sequence[Sentence], sentence: int, token: int
    ) -> list[Antecedent]: ...


_WEATHER = frozenset("rain snow hail thunder freeze drizzle pour dawn".split())
_RAISING = frozenset("seem appear happen turn look sound matter occur strike feel".split())
_TIMES = frozenset(
    "time late early dark cold hot warm night day morning noon midnight sunday monday o'clock hour minute year month "
    "week second evening afternoon summer winter spring autumn christmas cloudy sunny windy".split()
)
_CLAUSAL = frozenset(
    "true possible impossible clear likely unlikely important hard difficult easy necessary obvious nice good great "
    "bad strange funny wrong right better best worth okay fine pity shame fault turn way use fantastic wonderful "
    "surprising unfair fair interesting amazing sad lucky unfortunate essential vital critical crucial".split()
)
_SENTENTIAL = frozenset(
    "know say think believe mean guess understand hope doubt admit try manage explain prove deny promise swear "
    "regret imagine do happen matter suggest tell ask realize realise accept handle afford".split()
)
"""With these *it* is as often a sentence or an event as a thing."""
_FILLERS = frozenset("not n't very so too really a an the just also still always never only quite even".split())
_FIXED = (
    "when it comes", "as it were", "that 's it", "it depends", "it turns out", "it turned out", "it has to do",
    "it out on",
)  # fmt: skip
_RELATIVES = frozenset("that to for if when how what who whether where since because".split())


def is_pleonastic(sentence: Sentence, token: int) -> bool:
    """Does *it* stand for nothing: weather, time, *it seems that*, *it is hard to …*, *it was him who …*?

    Reads the words that follow, and the parse where there is one.
    """
    words = sentence.tokens
    if words[token].text.lower() != "it":
        return False
    if words[token].relation == "expl" or _is_announcing_object(words, token) or _is_fixed(words, token):
        return True
    if words[token].relation in ("dobj", "obj", "pobj", "dative"):
        return False  # we have it, and we are going to …: the verb behind is another's
    following = words[token + 1 : token + 9]
    verb = next((w for w in following[:4] if w.pos in ("VERB", "AUX")), None)
    if verb is None:
        return False
    rest = following[following.index(verb) + 1 :]
    main = next((w for w in following if w.pos == "VERB"), verb)
    if _has_impersonal_verb(words[token], main, rest):
        return True
    if _is_said(words, token, rest):
        return True
    return verb.lemma.lower() in ("be", "'s", "s", "become", "get") and _is_empty_predicate(rest)


def use_of_it(sentence: Sentence, token: int) -> Use:
    """What *it* stands for by the English words: *I know it*, *it happened*, *it is great* may be a sentence."""
    if is_pleonastic(sentence, token):
        return Use("empty", "it refers to nothing")
    words = sentence.tokens
    head = words[token].head
    if head < 0:
        return Use("open", "it may be a sentence")
    verb = words[head].lemma.lower()
    subject = words[token].relation.startswith("nsubj")
    if (verb in ("do", "handle", "manage") and not subject) or (verb in ("happen", "occur", "matter") and subject):
        return Use("sentence", "it may be a sentence")
    if verb in ("be", "get", "become") and subject:
        if any(w.head == head and w.text.lower() in ("what", "who") for w in words[:token]):
            return Use("empty", "it refers to nothing")
        judged = any(w.head == head and w.relation in ("acomp", "attr", "ccomp", "advcl") for w in words)
        return Use("open" if verb == "be" else "sentence", "it may be a sentence") if judged else Use()
    if verb in _SENTENTIAL or (verb in ("make", "take", "get") and not subject):
        return Use("open", "it may be a sentence")
    return Use()


def _is_announcing_object(words: Sequence[Token], token: int) -> bool:
    """*make it easier to …*, *find it strange that …*."""
    before = words[token - 1].lemma.lower() if token else ""
    if before not in ("make", "find", "consider", "think", "deem", "take", "leave", "owe", "keep"):
        return False
    after = [w.text.lower() for w in words[token + 1 : token + 9]]
    judged = any(w.pos in ("ADJ", "NOUN") for w in words[token + 1 : token + 4])
    return judged and bool({"to", "that", "for", "when", "if"} & set(after))


def _is_fixed(words: Sequence[Token], token: int) -> bool:
    """*when it comes to*, *make it*, *as it were*, *that's it*."""
    around = [w.text.lower() for w in words[max(token - 2, 0) : token + 4]]
    text = " ".join(around)
    if any(phrase in text for phrase in _FIXED):
        return True
    after = words[token + 1].text.lower() if token + 1 < len(words) else "."
    made = token > 0 and words[token - 1].lemma.lower() == "make"
    return made and after in (".", ",", "to", "through", "out", "back", "past", "home", "in", "into", "!", "?", "as")


def _has_impersonal_verb(pronoun: Token, main: Token, rest: Sequence[Token]) -> bool:
    lemma = main.lemma.lower()
    if lemma in _WEATHER and pronoun.relation.startswith("nsubj"):
        return True
    if lemma in _RAISING and any(w.text.lower() in ("that", "like", "to", "as", "out", "if") for w in rest[:4]):
        return lemma not in ("look", "sound", "feel") or any(w.text.lower() in ("like", "as") for w in rest[:2])
    return lemma == "take" and any(w.lemma.lower() in _TIMES or w.text.lower() == "to" for w in rest[:6])


def _is_said(words: Sequence[Token], token: int, rest: Sequence[Token]) -> bool:
    """*it is said that*, *it was announced that*."""
    return any(w.tag == "VBN" for w in rest[:2]) and any(w.text.lower() == "that" for w in rest[:4])


def _is_empty_predicate(rest: Sequence[Token]) -> bool:
    """Behind *it is*: a person, a time, a clause's adjective, a cleft."""
    behind = [w for w in rest if w.text.lower() not in _FILLERS]
    if not behind:
        return False
    first = behind[0]
    if first.text.lower() in ("me", "you", "him", "her", "us", "them", "i", "about", "because", "up", "like", "as"):
        return True
    after = behind[1].text.lower() if len(behind) > 1 else ""
    counted = first.pos == "NUM" and after not in ("%", "percent", "of")  # it is 45% contained, it is one of the …
    if first.lemma.lower() in _TIMES or counted:
        return True
    if first.pos == "ADV" and len(behind) > 1 and behind[1].tag == "VBN":  # it is clearly perceived as a means to …
        return any(w.text.lower() == "that" for w in behind[2:4])
    if _is_named_by_noun(rest):
        return False
    if first.lemma.lower() == "first" or " ".join(w.text.lower() for w in behind[:2]) in ("first time", "last time"):
        return any(w.text.lower() == "time" for w in behind[:3])
    if first.pos in ("ADJ", "VERB") and _to_follows(behind):  # it is dangerous to walk there, it is forbidden to …
        return True
    if any(w.text.lower() in ("who", "whom") for w in behind[1:5]):  # it is his wife who …
        return True
    opens = {w.text.lower() for w in behind[1:5]} & _RELATIVES
    return bool(opens) and (first.lemma.lower() in _CLAUSAL or first.pos in ("PROPN", "ADJ", "ADV"))


def _is_named_by_noun(rest: Sequence[Token]) -> bool:
    """*it is a vital next step to …*: a thing is said to be one, two words before the noun; not *a good idea*."""
    words = [w for w in rest[:5] if w.text.lower() not in ("also", "still", "just", "only", "not", "n't")]
    if len(words) < 4 or words[0].text.lower() not in ("a", "an", "the") or words[1].pos != "ADJ":
        return False
    return words[2].pos in ("ADJ", "NOUN") and words[3].pos == "NOUN" and words[3].lemma.lower() not in _CLAUSAL


def _to_follows(behind: Sequence[Token]) -> bool:
    following = [w.text.lower() for w in behind[1:6]]
    if "for" in following[:1]:
        following = following[2:] if len(following) > 2 else []
    return "to" in following[:2] and any(w.pos == "VERB" for w in behind[2:6])


def phrase_of(sentence: Sentence, token: int) -> str:
    """The words of a noun's phrase that stand together around it: *her old voice*.

    >>> her, voice = Token("her", 0, 3, head=1, relation="poss"), Token("voice", 4, 9)
    >>> phrase_of(Sentence("her voice", (her, voice)), 1)
    'her voice'
    """
    first = token
    while first > 0 and sentence.tokens[first - 1].head in range(first - 1, token + 1):
        if sentence.tokens[first - 1].pos in ("VERB", "AUX", "PUNCT", "ADP", "CCONJ", "SCONJ"):
            break
        first -= 1
    return sentence.text[sentence.tokens[first].start : sentence.tokens[token].end]


Chain = Sequence[tuple[int, int, int]]
"""Mentions of one thing: (sentence, start, end) in characters of the sentence."""


def from_chains(
    chains: Sequence[Chain], sentences: Sequence[Sentence], sentence: int, token: int
) -> list[Antecedent]:
    """The nouns before the pronoun in its chain, the nearest first."""
    pronoun = sentences[sentence].tokens[token]
    place = (sentence, pronoun.start, pronoun.end)
    chain = next((c for c in chains if any(tuple(m) == place for m in c)), ())
    before = sorted((m for m in chain if (m[0], m[1]) < place[:2]), reverse=True)
    found = []
    for rank, (number, start, end) in enumerate(before):
        inside = [i for i, w in enumerate(sentences[number].tokens) if start <= w.start and w.end <= end]
        # The head of a mention is governed from outside it.
        heads = [i for i in inside if sentences[number].tokens[i].head not in inside]
        nouns = [i for i in heads if sentences[number].tokens[i].pos in ("NOUN", "PROPN")]
        found += [Antecedent(number, i, float(-rank)) for i in nouns[:1]]
    return found
