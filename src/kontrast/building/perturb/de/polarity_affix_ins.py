"""Polarity: the prefix *un-* is put before a word that has such an opposite (*sicher* → *unsicher*)."""

from __future__ import annotations

from collections.abc import Iterator

from kontrast.building.perturb.de.affix_doubts import is_open, is_scale, is_set_phrase
from kontrast.building.perturb.de.affixes import asks_whether, comments, has_opposite, is_clear, is_predicate
from kontrast.building.perturb.de.disagreeing import disagrees
from kontrast.building.perturb.de.negation import NEGATIVE, asks_yes_or_no, part_around
from kontrast.building.perturb.de.verb_uses import between_signs
from kontrast.building.perturb.perturbation import Candidate, Example, Perturbation, candidate
from kontrast.building.perturb.text import like, opens_sentence
from kontrast.language.annotation import Sentence
from kontrast.language.lexicons.german import readings

_HINDERS = frozenset(("nicht", "wie", "wenn", "kaum", "schwer", "wenig", "fast", "nahezu", "beinahe", "nur"))
_DEGREES = frozenset(("wesentlich", "erheblich"))
_WELL = frozenset(("gut", "besser", "besten", "bestens", "meisten", "ehesten"))
_QUOTES = "\"'„“”»«‚‘’"
_IMPROVING = ("verbess", "erhöh", "steiger", "stärk", "gewährleist", "sorg", "diene", "dient")
_DATIVES = frozenset(("mir", "dir", "ihm", "ihr", "uns", "euch", "ihnen"))


def _negated(sentence: Sentence) -> Iterator[Candidate]:
    for i, token in enumerate(sentence.tokens):
        tag = token.tag if token.tag in ("ADJA", "ADJD", "NN") else {"ADJ": "ADJA", "NOUN": "NN"}.get(token.pos, "")
        if not tag or not has_opposite(token.text, tag) or not _fits(sentence, i):
            continue
        new = like(token.text, "un" + token.text.lower())
        if any(t.text == new for t in sentence.tokens):
            continue  # angenehm oder unangenehm
        yield candidate(
            "polarity_affix_ins",
            sentence,
            [(token.start, token.end, new)],
            words=(token.text,),
            weak=not is_clear(token.text) or _is_doubtful(sentence, i),
        )


def _is_doubtful(sentence: Sentence, i: int) -> bool:
    """Is it part of a phrase or name that has no un-, a comment on the whole, or not as the phrase needs it?"""
    token = sentence.tokens[i]
    if _is_well(sentence, i) or _is_thanked(sentence, i) or disagrees(sentence, i) or _is_chosen(sentence, i):
        return True
    if is_scale(sentence, i) or is_open(sentence, i) or is_set_phrase(sentence, i) or _may_end_clause(sentence, i):
        return True
    if token.tag == "NN" and i and sentence.tokens[i - 1].tag in ("APPR", "NN"):
        return True  # in Abhängigkeit, für Klarheit, im Feld Genauigkeit: no article
    if opens_sentence(sentence, i):
        return comments(token.text)  # Gewöhnlich ist Standard die beste Wahl
    around = sentence.text[token.start - 1] + sentence.text[token.end : token.end + 1]
    return (token.tag != "NN" and token.text[0].isupper()) or any(
        sign in _QUOTES for sign in around
    )  # ein Sicheres Tor


def _fits(sentence: Sentence, i: int) -> bool:
    """Is this neither a verb in disguise, nor part of a phrase, nor a comment on the whole (*sicher kommt er*)?"""
    token = sentence.tokens[i]
    before = sentence.tokens[i - 1].text.lower() if i else ""
    after = sentence.tokens[i + 1] if i + 1 < len(sentence.tokens) else None
    if before in _HINDERS or (after is not None and after.text == "gesagt"):
        return False  # so bald wie möglich, ehrlich gesagt
    if before == "treu" or (token.tag == "ADJD" and i and sentence.tokens[i - 1].tag == "ADJD"):
        return False  # streng gläubig
    near = [t.text.lower() for t in sentence.tokens[max(i - 3, 0) : i]]
    if NEGATIVE & {t.text.lower() for t in sentence.tokens[i + 1 : i + 6]}:
        return False  # was vernünftig ist und was nicht
    if NEGATIVE & set(near) or (token.lemma == "möglich" and {"soweit", "sobald", "so"} & set(near)):
        return False  # nicht genau bekannt; soweit es möglich ist
    if near[-1:] in (["teilweise"], ["halb"]) or near[-2:] == ["viel", "ist"]:
        return False  # teilweise genutzt; so viel ist sicher
    if near[-1:] == ["als"] or (near[-1:] == ["für"] and token.text == "gewöhnlich"):
        return False  # mehr als nötig, für gewöhnlich
    if (before, token.text) == ("in", "Sicherheit"):
        return False
    if near and sentence.tokens[i - 1].tag in ("ADJD", "ADV") and token.text.lower()[:2] in ("be", "ge", "ve", "er"):
        return False  # gemeinsam benutzt
    if token.text.lower() == "schuldig" and _has_verb(sentence, i, "machen"):
        return False
    if token.text.lower().startswith("zufrieden") and _has_verb(sentence, i, "stellen"):
        return False
    if token.tag == "ADJA" and token.text.lower() in ("wahre", "wahren", "wahrer", "wahres", "wahrem"):
        return False  # die wahren Meister
    if token.tag == "ADJA" and token.text.lower().startswith(("modern", "normal", "genau")):
        return False  # those of today, the usual, the very one
    if asks_yes_or_no(sentence, i) or _asks_how(sentence, i) or _is_complement(sentence, i):
        return False
    if (before, token.text) in (("in", "Wahrheit"), ("mit", "Sicherheit"), ("mit", "Wahrscheinlichkeit")):
        return False
    if token.text.lower().startswith("bekannt") and _is_known_for(sentence, i):
        return False
    if before in _DATIVES and token.text == "schuldig":
        return False
    if token.tag == "ADJA" and token.lemma == "möglich":
        return False  # mögliche Schäden: what cannot be is no opposite
    if (
        token.tag == "ADJD"
        and after is not None
        and after.tag in ("ADJD", "ADJA", "ADV", "VVPP")
        and token.text not in _DEGREES
    ):
        return False  # völlig blind: it says how much
    if token.tag == "ADJA" and _may_be_verb(token.text) and (after is None or after.pos == "CCONJ"):
        return False
    if token.tag == "ADJA" and _may_be_verb(token.text) and sentence.tokens[i - 1].pos in ("NOUN", "PROPN", "PRON"):
        return False  # Hershey und Chase benutzten Viren
    if token.tag == "ADJD" and _may_be_verb(token.text) and not is_predicate(sentence, i):
        return False  # überlegt man
    predicate = token.tag == "ADJD" or (token.tag != "ADJA" and token.text.islower())
    return not (predicate and comments(token.text)) or is_predicate(sentence, i)


def _is_well(sentence: Sentence, i: int) -> bool:
    """*die am besten zu ihr passende Wahl*: what is so well or best is hardly said with un-."""
    for token in reversed(sentence.tokens[max(i - 7, 0) : i]):
        if token.pos in ("PUNCT", "VERB", "AUX", "CCONJ", "SCONJ"):
            return False
        if token.text.lower() in _WELL and sentence.tokens[i].tag == "ADJA":
            return True
    return False


def _is_chosen(sentence: Sentence, i: int) -> bool:
    """*wählen, welche Spalten sichtbar sind*: who chooses these chooses the others; *die Genauigkeit verbessern*."""
    near = [sentence.tokens[k].text.lower() for k in between_signs(sentence, i)]
    before = [sentence.tokens[k].text.lower() for k in between_signs(sentence, i) if k < i]
    if sentence.tokens[i].text in ("Sicherheit", "Genauigkeit") or NEGATIVE & set(before):
        return True  # Unsicherheit is doubt as well; kein Paket hat eine Unabhängigkeit
    if sentence.tokens[i].tag == "NN":
        return any(word.startswith(_IMPROVING) for word in near)
    most = len(before) > 1 and before[-2] == "am" and before[-1].endswith("sten")  # am häufigsten genutzt
    return most or any(word.startswith("welch") or word in ("wie", "was") for word in before[:2])


def _is_thanked(sentence: Sentence, i: int) -> bool:
    """*dir dafür dankbar*, *dankbar, dass*: undankbar has neither the person nor what for beside it."""
    if not sentence.tokens[i].text.lower().startswith(("dankbar", "verantwortlich")):
        return False
    near = {sentence.tokens[k].text.lower() for k in part_around(sentence, i)}
    return bool(near & (_DATIVES | {"dafür", "für", "wofür", "dass", "daß"}))


def _has_verb(sentence: Sentence, i: int, lemma: str) -> bool:
    part = (sentence.tokens[k].text.lower() for k in part_around(sentence, i))
    return any(r.lemma in (lemma, "zufrieden" + lemma) for low in part for r in readings(low) if r.pos == "V")


def _asks_how(sentence: Sentence, i: int) -> bool:
    """*Wie ist das möglich?* is no question with un-."""
    part = part_around(sentence, i)
    return sentence.tokens[part[0]].text.lower() == "wie" and sentence.tokens[part[-1]].text == "?"


def _is_complement(sentence: Sentence, i: int) -> bool:
    """*der Sache gerecht werden*, *klar, dass*: with un- these are not said."""
    tokens = sentence.tokens
    low = tokens[i].text.lower()
    near = {t.text.lower() for t in tokens[i + 1 : i + 4]}
    if low == "gerecht":
        return any(r.lemma == "werden" for t in tokens for r in readings(t.text.lower()) if r.pos == "V")
    follows = [t.text.lower() for t in tokens[i + 1 : i + 3]]
    if (
        follows[:1] == [","]
        and low == "sicher"
        and any(t.text.lower() in _DATIVES for t in tokens[max(i - 3, 0) : i])
    ):
        return True  # ich bin mir sicher, er kommt
    if (tokens[i - 1].text.lower() if i else "") == "nie" and follows[:1] == ["genug"]:
        return True
    if low == "glück" and any(r.lemma == "haben" for t in tokens for r in readings(t.text.lower()) if r.pos == "V"):
        return True
    if asks_whether(sentence, i):
        return True
    return low in ("klar", "sicher", "bewusst") and (follows[:2] in ([",", "dass"], [",", "daß"]) or "dass" in near)


def _is_known_for(sentence: Sentence, i: int) -> bool:
    """*dafür bekannt, dass*, *für seine Bilder bekannt*: not said with un-."""
    words = [t.text.lower() for t in sentence.tokens[max(i - 8, 0) : i]]
    return bool({"dafür", "für", "als", "unter"} & set(words))


def _may_end_clause(sentence: Sentence, i: int) -> bool:
    """*der sich auf den Zug vorbereitete.*, *Zudem bezahlte West*: a verb that is taken for an adjective."""
    tokens = sentence.tokens
    last = i + 1 < len(tokens) and tokens[i + 1].pos in ("PUNCT", "PROPN")
    described = i > 0 and tokens[i - 1].pos in ("DET", "ADJ", "ADP")  # der erwarteten, starken Schneefälle
    return last and not described and tokens[i].tag == "ADJA" and _may_be_verb(tokens[i].text)


def _may_be_verb(word: str) -> bool:
    return any(r.pos == "V" and any(len(code) == 3 for code in r.codes) for r in readings(word.lower()))


perturbation = Perturbation(
    name="polarity_affix_ins",
    language="de",
    summary="the negating prefix un- is inserted",
    conditions=(
        "An adjective whose opposite with un- is in the lexicon, or such a noun in -heit, -keit or of a short list.",
        "Not where un- makes no opposite (heimlich, bedingt, gut, rund, Fall, Kosten), not right after nicht, "
        "wie, kaum or schwer.",
        "Adjectives that comment as adverbs (sicher, klar, genau) only as a predicate: es ist sicher.",
        "Not before another adjective, whose degree it gives (vollkommen blind), nor mögliche before a noun.",
        "Weak, so never chosen: words of which un- is not the plain opposite whatever they are said of (tragbar, "
        "günstig, normal; a list has those that are clear), what is so best (am besten passend), and dankbar with "
        "the person or what for (dir dafür dankbar); a noun alone behind a preposition or noun (in Abhängigkeit), a "
        "comment that opens the sentence (Gewöhnlich ist …), what is chosen "
        "(welche sichtbar sind), labels in quotes or with a capital, and what does not "
        "agree with its noun.",
        "Weak as well: a property that is measured, watched or affected (die Klarheit beeinflussen), what may be "
        "(kann nötig sein, or may in the source) or is not yet so (bevor sie reif sind), what is needed as a "
        "condition (falls nötig), and phrases that have no negative (die Fähigkeit haben, um Geduld bitten, zum "
        "Glück, auffällig ist, dass, sicher vor, dringend nötig, das stärkste bekannte Gift, der sichere Tod), or a "
        "present participle with its complement (damit zusammenhängend).",
        "The frequency is that of the word without un-.",
    ),
    examples=(
        Example("Der Ausgang ist sicher.", "Der Ausgang ist unsicher."),
        Example("Die abhängigen Staaten schwiegen.", "Die unabhängigen Staaten schwiegen."),
        Example("Das Haus ist groß.", None),
        Example("Er kommt sicher bald.", None),
    ),
    function=_negated,
)
