"""Polarity: the article *ein* becomes *kein* in the same form."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise

from kontrast.building.perturb.de.disagreeing import disagrees
from kontrast.building.perturb.de.grammar import finite_verbs
from kontrast.building.perturb.de.kein_doubts import is_label, is_unlikely
from kontrast.building.perturb.de.negation import NEGATIVE, asks_yes_or_no, part_around
from kontrast.building.perturb.de.verb_uses import between_signs, may_be_participle
from kontrast.building.perturb.perturbation import Candidate, Example, Perturbation, candidate
from kontrast.building.perturb.text import opens_sentence, replaced_word
from kontrast.language.annotation import Sentence
from kontrast.language.lexicons.german import readings

_FORMS = frozenset(("ein", "eine", "einen", "einem", "einer", "eines"))
_FIXED_AFTER = frozenset(
    "paar bisschen wenig gewisser gewisse gewissen gewisses gewissem jeder jedes solcher ganzer ganze ganzes ganzen "
    "ganz guter gutes gute guten einziger einzige einziges einzigen anderer andere anderes anderen weiterer "
    "weitere weiteres weiteren "
    "beliebiger beliebige beliebiges beliebigen".split()
)
_FIXED_BEFORE = frozenset(
    "genau so für solch welch manch noch nicht was als wie nur eher etwa fast mindestens höchstens rund knapp schon "
    "bereits sogar erst je pro zirka ca mehr um bloß mal zumindest beispielsweise etwa beispiel "
    "immer schnellstens sofort soeben zunächst kurzzeitig "
    "zudem außerdem".split(" ")
)
_AFFIRMING = frozenset(
    "bereits schon nämlich zwar sowohl einerseits beispielsweise etwa nur sogar ebenfalls ebenso gleichfalls".split()
)
_PERHAPS = frozenset(
    "wahrscheinlich vermutlich vielleicht möglicherweise wohl sicherlich hoffentlich eventuell womöglich offenbar "
    "anscheinend offensichtlich".split()
)
"""Before these no negation stands: *vielleicht kein*, not *kein … vielleicht*."""
_OFTEN = frozenset(
    "immer stets jederzeit ständig dauernd jedesmal meist meistens oft häufig manchmal gelegentlich mitunter selten "
    "normalerweise gewöhnlich üblicherweise".split()
)
_ANAPHORS = {
    "Masc": re.compile("er|ihn|ihm|sein(e[nmrs]?)?"),
    "Fem": re.compile("sie|ihr(e[nmrs]?)?"),
    "Neut": re.compile("es|ihm|sein(e[nmrs]?)?"),
}
_BEING = frozenset(("sein", "werden", "bleiben", "heißen"))
_GOVERNED = frozenset(("zu", "auf", "an", "von", "in", "über", "für", "aus", "bei", "gegen"))
"""Prepositions with which verbs have objects; *mit keinem*, *nach keiner*, *während keines* are seldom said."""
_WHERE = frozenset(("auf", "an", "in", "aus", "bei"))
_WITH_FOR = frozenset("halten sorgen interessieren entscheiden stimmen ausgeben".split())
_AWAY = tuple(
    [word]
    for word in "oberhalb unterhalb über unter höher tiefer weiter entfernt lang breit hoch tief später früher "
    "zuvor danach davor vorher vor nach lang davon".split()
)
"""Behind what is measured."""
_NOMINAL = frozenset(("NOUN", "PROPN", "ADJ", "DET", "NUM"))
_MEASURES = re.compile(
    "(Sekunde|Minute|Stunde|Tag|Woche|Monat|Jahr|Jahrhundert|Jahrzehnt|Mal|Drittel|Viertel|Großteil|Teil|Reihe|Menge"
    "|Vielzahl|Anzahl|Prozent|Million|Milliarde|Dutzend|Hälfte|Haufen|Stück|Paar|Handvoll|Prise|Art|Weise|Weile|Moment"
    "|Augenblick|Weilchen|Ewigkeit|Abend|Morgen|Nacht|Zeitraum|Zeit|Seite)(?:e?s|e)?n?$"
)


def _negated(sentence: Sentence) -> Iterator[Candidate]:
    tokens = sentence.tokens
    for i, token in enumerate(tokens):
        if token.text.lower() not in _FORMS or not token.relation.startswith("det") or token.head <= i:
            continue
        if _is_fixed(sentence, i) or _within_phrase(sentence, i) or _under_negation(sentence, i):
            continue
        if asks_yes_or_no(sentence, i) or _asks_whether(sentence, i) or _does_not_bear(sentence, i):
            continue
        if _has_no_verb(sentence, i):
            continue
        weak = _is_beside_adverb(sentence, i) or _is_one_of_two(sentence, i) or _is_taken_up(sentence, i)
        weak = weak or _is_governed(sentence, i) or disagrees(sentence, i) or _lacks_accusative(sentence, i)
        weak = weak or is_unlikely(sentence, i)
        edits = [replaced_word(token, "k" + token.text.lower())]
        yield candidate("polarity_particle_kein_ins", sentence, edits, weak=weak)


def _is_beside_adverb(sentence: Sentence, i: int) -> bool:
    """*Kein Bild wird immer erzeugt*, *jederzeit kein Profil*: it is not plain what is denied."""
    near = {k: sentence.tokens[k].text.lower() for k in between_signs(sentence, i)}
    return any(low in _OFTEN or (k > i and low in _PERHAPS) for k, low in near.items())


def _is_governed(sentence: Sentence, i: int) -> bool:
    """*in einem Netz*, *links eines Würfels*, *schnell ein Projekt*: says where, whose or when, or follows how."""
    before = sentence.tokens[i - 1].text.lower() if i else ""
    how = i > 0 and sentence.tokens[i - 1].tag == "ADJD" and before not in _PERHAPS
    opener = next((sentence.tokens[k].text.lower() for k in part_around(sentence, i)), "")
    return how or before in _WHERE or sentence.tokens[i].text.lower() == "eines" or opener in ("wenn", "falls")


def _is_one_of_two(sentence: Sentence, i: int) -> bool:
    """*entweder ein Bild oder Text*, *ein Bogen und dann ein Kreis*, *(wenn Sie ein Däne sind)*, *„S“, ein Wort*: one
    of several, or said by the way."""
    tokens = sentence.tokens
    before = sentence.text[: tokens[i].start]
    if before.count("(") > before.count(")") or any(
        tokens[k].text.lower() == "entweder" for k in part_around(sentence, i) if k < i
    ):
        return True
    if i > 1 and tokens[i - 1].text == "," and tokens[i - 2].text in '"“”»)':
        return True
    first = i
    while first and tokens[first - 1].pos == "ADV":
        first -= 1
    return first > 1 and tokens[first - 1].text == "und" and tokens[first - 2].pos in ("NOUN", "PROPN")


def _is_taken_up(sentence: Sentence, i: int) -> bool:
    """*nimmt einen Brocken auf und legt ihn ab, damit daraus …*: what is not there is not spoken of again."""
    tokens = sentence.tokens
    noun = tokens[tokens[i].head]
    forms = [_ANAPHORS[gender] for gender in noun.morph.get("Gender", "").split(",") if gender in _ANAPHORS]
    for k in range(tokens[i].head + 1, len(tokens)):
        token = tokens[k]
        small = token.text.islower() or opens_sentence(sentence, k)  # not the polite Ihr
        if small and token.pos in ("PRON", "DET") and any(form.fullmatch(token.text.lower()) for form in forms):
            return True
        if token.tag in ("PAV", "PROAV") and [t.text for t in tokens[k + 1 : k + 2]] != [","]:
            return True  # daraus, damit; not darauf, dass
        if token.text == noun.text and tokens[k - 1].text.lower().startswith(("d", "jen")):
            return True  # das Programm, dieses, jenes Programm
    return False


def _lacks_accusative(sentence: Sentence, i: int) -> bool:
    """*Der Zähler nutzt ein Generator*: a second nominative where no verb of being joins two, a fault of the text."""
    tokens = sentence.tokens
    if tokens[i].text.lower() != "ein" or tokens[tokens[i].head].morph.get("Gender") != "Masc":
        return False
    chunk = between_signs(sentence, i)
    verbs = {r.lemma for k in chunk for r in readings(tokens[k].text.lower()) if r.pos == "V"}
    return not verbs & _BEING and any(_is_nominative(sentence, k) for k in chunk if k < i)


def _is_nominative(sentence: Sentence, k: int) -> bool:
    tokens = sentence.tokens
    if tokens[k].pos == "PRON":
        return tokens[k].text.lower() in ("ich", "du", "er", "wir", "man")
    morph = tokens[tokens[k].head].morph if tokens[k].pos == "DET" else {}
    one = morph.get("Gender") == "Masc" and "Sing" in morph.get("Number", "")
    return one and tokens[k].text.lower() in ("der", "dieser", "jeder") and not (k and tokens[k - 1].pos == "ADP")


def _is_fixed(sentence: Sentence, i: int) -> bool:
    """*ein paar*, *was für ein*, *vor einer Woche*."""
    tokens = sentence.tokens
    before = tokens[i - 1].text.lower() if i else ""
    what = tokens[i - 2].text.lower() if i > 1 else ""
    if tokens[i + 1].text.lower() in _FIXED_AFTER or _MEASURES.match(tokens[tokens[i].head].text):
        return True
    after = [t.text.lower() for t in tokens[tokens[i].head + 1 : tokens[i].head + 3]]
    if len(after) == 2 and after[0] in ("und", "sowie", ",") and after[1] in _FORMS:
        return True
    if before == "(" or after[:1] in _AWAY or (before in ("„", "»", '"') and i > 1):
        return True  # (einer Obermenge), eine Ebene oberhalb
    if before == "oder" or after[:1] in (["weniger"], ["mehr"]) or (before, what) == ("auf", "bis"):
        return True  # einen weniger; bis auf eine kleine Garnison
    if before == "," and i > 1 and tokens[i - 2].pos in ("NOUN", "PROPN"):
        return True  # Met, ein Bier mit Honig
    if _is_coordinated(sentence, i):
        return True
    if before in _GOVERNED:
        return what in _FIXED_BEFORE or i == 1  # Über einen Hafen erhält man …
    return before in _FIXED_BEFORE


def _is_coordinated(sentence: Sentence, i: int) -> bool:
    """*ein Hund und Katzen*, *Brot und eine Suppe*: kein would hold for one of two only."""
    tokens = sentence.tokens
    behind = tokens[tokens[i].head + 1 : tokens[i].head + 3]
    before = tokens[max(i - 2, 0) : i]
    joined = len(behind) == 2 and behind[0].text in ("und", "oder", "sowie") and behind[1].pos in _NOMINAL
    after = len(before) == 2 and before[1].text in ("und", "oder", "sowie") and before[0].pos in ("NOUN", "PROPN")
    return joined or after


def _within_phrase(sentence: Sentence, i: int) -> bool:
    """An attribute of another noun (*die Schaffung eines Staates*, *Leute mit einem Hund*), or a free adverbial."""
    tokens = sentence.tokens
    before = tokens[i - 1] if i else None
    if before is None:
        return False
    if before.pos in ("DET", "CCONJ") and tokens[i].text.lower() == "eines":
        return True  # den eines Feiglings
    if before.text == "," and tokens[i].text.lower() in ("einem", "einer") and tokens[i - 2].pos in ("NOUN", "PROPN"):
        return True  # an apposition in the dative
    if before.pos == "ADP" or before.text.lower() in ("während", "seit", "trotz"):
        left = next((t for t in reversed(tokens[: i - 1]) if t.text not in '"„“”»«'), None)
        if before.text.lower() not in _GOVERNED or (before.text.lower() == "für" and not _takes_for(sentence, i)):
            return True
        return left is not None and (
            left.pos in ("NOUN", "PROPN", "NUM", "ADJ", "CCONJ", "DET")
            or any(r.pos == "V" and "2" in r.codes for r in readings(left.text.lower()))
        )
    if before.pos not in ("NOUN", "PROPN"):
        return False
    return tokens[i].text.lower() == "eines" or tokens[tokens[i].head].morph.get("Case") == "Gen"


def _takes_for(sentence: Sentence, i: int) -> bool:
    """*für einen Fehler halten*: a verb with such an object, not a purpose (*für einen Doppelklick*)."""
    part = (sentence.tokens[k].text.lower() for k in part_around(sentence, i))
    return any(r.lemma in _WITH_FOR for low in part for r in readings(low) if r.pos == "V")


def _asks_whether(sentence: Sentence, i: int) -> bool:
    """*ob sie ein Haus haben* asks what *ob sie kein Haus haben* asks; *wie* asks nothing with kein."""
    words = [sentence.tokens[k].text.lower() for k in part_around(sentence, i) if k < i]
    if "ob" in words:
        return True
    while "," in words:
        words = words[words.index(",") + 1 :]
    first = i - len(words)
    if {"nachdem", "bevor", "seit", "seitdem"} & set(words[:1]) or words[-1:] in (["wenn"], ["falls"], ["sobald"]):
        return True  # wenn ein Kind kommt, geht es
    return words[:1] == ["wie"] or sentence.tokens[first].tag in ("PWAV", "PWS", "PWAT")


def _has_no_verb(sentence: Sentence, i: int) -> bool:
    """*Ein großer Tempel, um zu beten.*: a label, a title or a question, which kein does not turn round."""
    part, tokens = part_around(sentence, i), sentence.tokens
    titled = i > 1 and tokens[i].text[0].isupper() and tokens[i - 1].text in '"„“»«'
    verbs = (k for k in finite_verbs(sentence) if k in part and not may_be_participle(sentence, k))
    if titled or tokens[part[-1]].text == "?":
        return True
    found = list(verbs)
    return not found or (i == part[0] and is_label(sentence, found, part))


def _does_not_bear(sentence: Sentence, i: int) -> bool:
    """*bereits kein*, *kein …, nicht nur*, *nämlich*: words that say that there is one."""
    words = [sentence.tokens[k].text.lower() for k in part_around(sentence, i)]
    return bool(_AFFIRMING & set(words)) or any(a == "nicht" and b == "nur" for a, b in pairwise(words))


def _under_negation(sentence: Sentence, i: int) -> bool:
    """Is there a negation in the same clause, before it (*nicht wie ein Roman, ein Gemälde*) or behind it?"""
    finite = set(finite_verbs(sentence))
    passed = False
    for k in range(i - 1, -1, -1):
        word = sentence.tokens[k].text.lower()
        if word in NEGATIVE or word == "ohne":
            return True
        if word in ".:;!?" or (passed and word == ","):
            break
        passed = passed or k in finite
    for token in sentence.tokens[i + 1 :]:
        if token.text in ",.:;!?":
            return False
        if token.text.lower() in NEGATIVE:
            return True  # ein Kind denkt nicht
    return False


perturbation = Perturbation(
    name="polarity_particle_kein_ins",
    language="de",
    summary="the indefinite article ein becomes kein",
    conditions=(
        "A form of ein that is the article of a noun; its ending and its capital stay.",
        "Not in fixed phrases (ein paar, ein bisschen, was für ein, so ein, noch ein), after nicht, als or nur, nor "
        "with measures (vor einer Woche, um ein Drittel).",
        "Not within another phrase (die Schaffung eines Staates, ein Mann mit einem Hund), not after mit, nach, "
        "während and the like, not in ein Haus und ein Hof, not where a negation holds already, not in questions, "
        "labels without a verb, after wenn, nor beside bereits, schon, nicht nur and the like.",
        "Weak, so never chosen: where what is there is taken up again (legt ihn ab, daraus); beside immer, meist, "
        "jederzeit or vielleicht; where it says where or whose, or behind a manner (schnell ein Projekt); behind "
        "entweder and within brackets; where the text does not agree (eine kleiner); in an infinitive with zu; "
        "beside bald, wieder, ja or mal; where ein follows behind und; where it is told which one.",
    ),
    examples=(
        Example("Das bedeutet einen Sieg.", "Das bedeutet keinen Sieg."),
        Example("Eine Partei gewann.", "Keine Partei gewann."),
        Example("Wir haben ein paar Fragen.", None),
        Example("Sie planen die Gründung eines Vereins.", None),
    ),
    function=_negated,
)
