"""Adequacy of the subject: with *sie* the verb's number tells *she* from *they*; the other is another meaning."""

from __future__ import annotations

import re
from collections.abc import Iterator

from kontrast.building.perturb.de.grammar import (
    IMPERATIVES,
    finite_code,
    finite_verbs,
    is_ambiguous_sie,
    other_form,
    subject_of,
)
from kontrast.building.perturb.de.negation import part_around
from kontrast.building.perturb.de.other_subjects import may_be_firm
from kontrast.building.perturb.de.speech import SAYING
from kontrast.building.perturb.de.verb_uses import GOVERNING, between_signs, may_be_infinitive, may_be_participle
from kontrast.building.perturb.nouns_before import fits_another
from kontrast.building.perturb.perturbation import Candidate, Example, Perturbation, candidate
from kontrast.building.perturb.text import opens_sentence, replaced_word
from kontrast.language.annotation import Sentence, Token
from kontrast.language.lexicons.german import adjective_lemma, readings
from kontrast.language.lexicons.german_words import SUBORDINATORS

_PLURALS = frozenset(("die", "ihre", "seine", "diese", "meine", "unsere"))
_OF_SEVERAL = frozenset(
    "alle beide beiden allesamt einander untereinander miteinander diejenigen gleich einig uneins verschieden".split()
)
_SWAP = {"s": "p", "p": "s"}
_COLLECTIVE = re.compile(
    "(?i:welle|gruppe|armee|horde|bande|familie|mannschaft|truppe|menge|regierung|firma|crew|besatzung|polizei|partei|"
    "band|schar|rotte|einheit|flotte|garde|klasse|gemeinde|bevölkerung|delegation|jugend|mehrheit|gesellschaft|"
    "gemeinschaft|rasse|nation|sippe|patrouille|miliz|kavallerie|infanterie|legion|wache|reihe|anzahl|spezies)$"
)


def _other_number(sentence: Sentence) -> Iterator[Candidate]:
    for i in finite_verbs(sentence):
        verb = sentence.tokens[i]
        subject = subject_of(sentence, i)
        code = finite_code(verb)
        if subject is None or code is None or code[1] != "3" or not is_ambiguous_sie(sentence, subject):
            continue
        if subject == i + 1 and _is_object_or_imperative(sentence, i, code):
            continue
        if subject and sentence.tokens[subject - 1].text.lower() in IMPERATIVES:
            continue  # gib sie ein
        if sentence.tokens[subject + 1 : subject + 2] and sentence.tokens[subject + 1].pos == "CCONJ":
            continue  # sie und ihr Mann
        if may_be_infinitive(sentence, i) or may_be_participle(sentence, i) or _are_several(sentence, subject, i):
            continue
        shared = _verbs_of(sentence, subject, i)
        unclear = _is_apart(sentence, subject, i) or _has_another_sie(sentence, subject)
        unclear = unclear or (code[2] == "p" and _is_polite(sentence, subject))
        unclear = unclear or _is_told_by_predicate(sentence, i) or _is_collective(sentence, subject, code)
        unclear = (
            unclear or _fits_another(sentence, subject, code) or (code[2] == "p" and may_be_firm(sentence, subject))
        )
        unclear = unclear or any(may_be_participle(sentence, k) or _of_two_verbs(sentence.tokens[k]) for k in shared)
        # und akzeptierte Vorschläge umsetzen: an adjective
        unclear = unclear or any(adjective_lemma(sentence.tokens[k].text.lower()) for k in shared if k != i)
        edits = [_in_other_number(sentence, k) for k in shared] if shared else [None]
        if all(edits):
            yield candidate(
                "subj_adequacy",
                sentence,
                [edit for edit in edits if edit is not None],
                distance=abs(subject - i),
                words=(verb.text,),
                weak=unclear,
            )


def _is_collective(sentence: Sentence, subject: int, code: str) -> bool:
    """*eine Kannibalenwelle, sie marschiert*: of what has many members *sie marschieren* is said too."""
    nouns = (t.text for t in sentence.tokens[:subject] if t.pos == "NOUN")
    return code[2] == "s" and any(_COLLECTIVE.search(noun) for noun in nouns)


def _fits_another(sentence: Sentence, subject: int, code: str) -> bool:
    """*die Verschiebung an, wie sie durch Linsen erzeugt werden*: would the other number go with a noun before?"""
    end = sentence.tokens[subject].start
    if code[2] == "p":
        return fits_another(sentence, end, "f", "de")
    tokens = [t for t in sentence.tokens if t.end <= end and t.pos == "NOUN" and t.morph.get("Number") == "Plur"]
    return bool(tokens)


def _has_another_sie(sentence: Sentence, subject: int) -> bool:
    """*Sie wird, wenn sie gehen, …*, *Sie kann es öffnen, indem Sie klicken*: another verb would keep the number."""
    low = sentence.tokens[subject].text == "sie"
    others = [(k, t.text) for k, t in enumerate(sentence.tokens) if k != subject]
    return any(text == "sie" or (text == "Sie" and opens_sentence(sentence, k) == low) for k, text in others)


def _is_polite(sentence: Sentence, subject: int) -> bool:
    """*Sie lernen es, was Ihre Geschwindigkeit erhöht*: another word of the address would stay."""
    others = (t for k, t in enumerate(sentence.tokens) if k != subject and not opens_sentence(sentence, k))
    return any(re.fullmatch(r"Sie|Ihnen|Ihre?[mnrs]?", t.text) for t in others)


def _is_apart(sentence: Sentence, subject: int, verb: int) -> bool:
    """*bleibt einmal, wenn sie verschwelt*, *der sie annimmt und sie weiterleitet*: of another verb, or an object;
    *wenn sie den Knopf „Füge hinzu“ drücken*: of a name in quotes."""
    tokens = sentence.tokens
    first, last = sorted((subject, verb))
    if any(t.text in ',;:.!?„“»«"' for t in tokens[first:last]):
        return True
    joined = bool(subject) and tokens[subject - 1].pos == "CCONJ"
    return joined and (verb != subject + 1 or subject - 2 in set(finite_verbs(sentence)))


def _is_told_by_predicate(sentence: Sentence, verb: int) -> bool:
    """*Sie waren gute Soldaten*: the noun has the number too."""
    tokens = sentence.tokens
    if not any(r.lemma in ("sein", "werden", "bleiben") for r in readings(tokens[verb].text.lower()) if r.pos == "V"):
        return False
    for k in between_signs(sentence, verb):
        if tokens[k].pos != "NOUN" or tokens[k].relation.startswith("nsubj"):
            continue
        first = k
        while first and tokens[first - 1].pos in ("DET", "ADJ", "NUM"):
            first -= 1
        before = tokens[first - 1] if first else None
        of_it = before is not None and before.pos == "NOUN" and tokens[first].pos == "DET"  # a genitive
        if before is not None and before.pos != "ADP" and not of_it:
            return True
    return False


def _of_two_verbs(token: Token) -> bool:
    """*gelangen*: a present of gelangen, a past of gelingen."""
    if token.text.lower() == "gelangen":
        return True  # the lexicon has gelingen alone
    return len({r.lemma for r in readings(token.text.lower()) if r.pos == "V"}) > 1


def _are_several(sentence: Sentence, subject: int, verb: int) -> bool:
    """*sie sind alle tot*: a word that holds of several only."""
    near = sentence.tokens[max(subject - 1, 0) : max(subject, verb) + 3]
    lows = [t.text.lower() for t in sentence.tokens]
    if any(lows[k : k + 2] == ["von", "ihnen"] for k in range(verb, len(lows))):
        return True
    if any(lows[k : k + 3] == ["es", ",", "die"] for k in range(verb, min(verb + 3, len(lows)))):
        return True  # Sie sind es, die siegten
    return any(t.text.lower() in _OF_SEVERAL for t in near)


def _verbs_of(sentence: Sentence, subject: int, verb: int) -> list[int]:
    """Every finite verb with this subject: *Sie kamen und gingen*; none where a verb's subject is not found."""
    tokens = sentence.tokens
    found = [verb]
    for k in finite_verbs(sentence):
        if any(t.text in ":.!?" for t in tokens[verb:k]):
            break  # Sie können es ansehen: Laden der Partie …
        if k <= verb or (tokens[verb].tag == "VMFIN" and _may_be_governed(sentence, verb, k)):
            continue
        owner = subject_of(sentence, k, shared=True)
        if owner is not None and tokens[owner].text == "es" and owner == k + 1 and tokens[k - 1].pos == "CCONJ":
            return []  # Sie erhöht die Zahl und ermöglicht es, …
        if owner is not None and owner > k and tokens[k - 1].text == "," and tokens[owner].pos == "NOUN":
            return []  # Sie ist klein, braucht aber Platz
        if owner == subject:
            found.append(k)
        elif tokens[verb].tag == "VMFIN" and tokens[k - 1].pos == "CCONJ" and not _is_opened(sentence, verb, k):
            return []  # Sie müssen die Werte eingeben und drücken den Knopf
        elif owner is None and any(t.text in ("und", "oder", "aber", ",") for t in tokens[verb:k]):
            return []
    return [] if _hides_another(sentence, verb) else found


def _is_opened(sentence: Sentence, verb: int, other: int) -> bool:
    """Does another clause begin between the two?"""
    return any(t.pos == "SCONJ" or t.tag in ("PRELS", "PWS", "PWAV") for t in sentence.tokens[verb:other])


def _may_be_governed(sentence: Sentence, modal: int, verb: int) -> bool:
    """*Sie können ~/kate/, eingeben*: the infinitive of a modal that has none before it."""
    tokens = sentence.tokens
    infinitive = any("i" in r.codes for r in readings(tokens[verb].text.lower()) if r.pos == "V")
    if tokens[verb - 1].pos == "CCONJ" and verb + 1 < len(tokens) and tokens[verb + 1].pos in ("DET", "PRON"):
        return False  # eingeben und drücken den Knopf
    return infinitive and not any(t.tag.endswith("INF") or t.pos == "SCONJ" for t in tokens[modal + 1 : verb])


def _hides_another(sentence: Sentence, verb: int) -> bool:
    """*Sie treten unter und warten*: a second verb that is tagged as an infinitive, with nothing to govern it."""
    chunk = between_signs(sentence, verb)
    behind_kon = [k for k in chunk if k < verb and sentence.tokens[k].tag == "KON"]
    if any(_may_be_third(sentence.tokens[k - 1]) for k in behind_kon if k and k + 1 == verb):
        return True  # wenn sie graben oder bauen
    lows = [t.text.lower() for t in sentence.tokens]
    governed = any(r.lemma in GOVERNING for k in chunk for r in readings(lows[k]) if r.pos == "V")
    for k in range(verb + 2, len(lows)):
        own = {c for r in readings(lows[k]) if r.pos == "V" for c in r.codes}
        behind = lows[k - 1] in (",", "und", "oder", "aber")
        if behind and sentence.tokens[k].tag in ("VVPP", "ADJD") and any(c[:2] in ("p3", "t3") for c in own):
            return True  # Sie ist groß, benötigt aber Platz
    for k in range(verb + 2, len(lows) - 1):
        infinitive = sentence.tokens[k].tag == "VVINF" and lows[k - 1] in ("und", "oder")
        if infinitive and sentence.tokens[k + 1].pos in ("DET", "PRON"):
            return True  # Sie müssen es eingeben und drücken den Knopf
    joined = any(lows[k] in ("und", "oder") for k in chunk if k > verb)
    loose = (k for k in chunk if k > verb and sentence.tokens[k].tag == "VVINF" and lows[k - 1] != "zu")
    return joined and not governed and next(loose, None) is not None


def _may_be_third(token: Token) -> bool:
    codes = {c for r in readings(token.text.lower()) if r.pos == "V" for c in r.codes}
    return token.pos in ("VERB", "AUX") and any(c[1:2] == "3" for c in codes)


def _in_other_number(sentence: Sentence, verb: int) -> tuple[int, int, str] | None:
    token = sentence.tokens[verb]
    code = finite_code(token)
    if code is None or code[1] != "3":
        return None
    new = other_form(token.text, code, code[:2] + _SWAP[code[2]])
    return replaced_word(token, new) if new is not None and new != token.text.lower() else None


def _is_object_or_imperative(sentence: Sentence, verb: int, code: str) -> bool:
    """*Er holt Creme, streicht sie in die Waffel*; *Nimm die Spalte - ersetze sie*: with the verb first, what follows
    is the subject only in a question, after a subordinate clause or where speech is reported."""
    tokens = sentence.tokens
    if code[0] == "k" and tokens[verb].pos == "VERB":
        return True  # so haue sie ab
    after = [t.text.lower() for t in tokens[verb + 1 : verb + 3]]
    if code[2] == "p" and len(after) == 2 and after[0] == "sie" and after[1] in ("mal", "bitte", "doch", "nur"):
        return True  # Also hören sie mal
    first = verb == 0 or tokens[verb - 1].pos in ("PUNCT", "CCONJ")
    if first and verb > 1 and tokens[verb - 1].text in ("...", "…") and tokens[verb - 2].pos == "CCONJ":
        return True  # und … wirft sie aus dem Fenster
    part = part_around(sentence, verb)
    if not first and code[2] == "p" and _has_rival(sentence, verb + 2):
        return True  # Bekannt haben sie ihre Rollen gemacht
    if not first or tokens[part[-1]].text == "?":
        return False
    if any(tokens[k].text.lower() == "wer" for k in part[:2]):
        return True  # Wer eitel ist, verbirgt sie
    if not verb or code[0] == "k" or (verb and tokens[verb - 1].text in ("und", "oder")):
        return True  # und nahm sie wahr
    if verb and tokens[verb - 1].text == "," and not _follows_subordinate(sentence, part[0], verb):
        return True  # Heiler können das, können sie aber nicht heilen
    earlier = [k for k in finite_verbs(sentence) if k in part and k < verb]
    speech = any(r.lemma in SAYING for r in readings(tokens[verb].text.lower()) if r.pos == "V")
    if speech or not earlier or tokens[verb - 1].text != ",":
        return False
    owner = subject_of(sentence, earlier[-1])
    # The clause before has the verb last: a subordinate one, on which this one follows.
    return owner is not None and earlier[-1] + 1 < verb - 1 and finite_code(tokens[earlier[-1]]) == code


def _has_rival(sentence: Sentence, start: int) -> bool:
    """Does a plural noun without a preposition follow, which may be the subject as well?"""
    tokens = sentence.tokens
    for k in between_signs(sentence, start) if start < len(tokens) else ():
        if k < start or tokens[k].pos != "NOUN" or tokens[k].morph.get("Number") == "Sing":
            continue
        opener = k
        while opener > start and tokens[opener - 1].pos in ("DET", "ADJ", "NUM"):
            opener -= 1
        bare = tokens[opener - 1].pos not in ("ADP", "NOUN")
        if (
            bare
            and opener < k
            and tokens[opener].text.lower() in ("die", "ihre", "seine", "diese", "meine", "unsere")
        ):
            return True
    return False


def _follows_subordinate(sentence: Sentence, first: int, verb: int) -> bool:
    """Does the sentence open with a clause that this one follows, or does the verb report speech?"""
    tokens = sentence.tokens
    if any(r.lemma in SAYING for r in readings(tokens[verb].text.lower()) if r.pos == "V"):
        return True
    opening = next((k for k in range(first, verb) if tokens[k].pos != "PUNCT"), verb)
    words = {t.text.lower() for t in tokens[opening : opening + 3]}
    return tokens[opening].tag in ("KOUS", "KOUI", "PWS", "PWAV", "VVFIN", "VAFIN", "VMFIN") or bool(
        words & SUBORDINATORS
    )


perturbation = Perturbation(
    name="subj_adequacy",
    language="de",
    summary="with the subject sie the verb's number is swapped: they or the polite you becomes she, or the reverse",
    conditions=(
        "The subject of the clause is sie, or Sie at the start of a sentence, where it may be she, they or you.",
        "Not with the verb first, where sie may be an object: he fetches it and puts it (streicht sie) somewhere.",
        "Within a sentence Sie with a capital is the polite address: there the other number breaks agreement.",
        "Weak, so never chosen: where another sie or Sie, or a predicate noun (sie waren Soldaten), gives the number "
        "away, behind a noun of many members (die Gruppe, sie kommt), and where a noun before it has the other "
        "number; they behind a name with a verb in the singular (World Records erklärte, dass sie …).",
        "Every verb that shares the subject changes: sie kamen und gingen, sie kam und ging.",
        "The distance is counted in words from sie to the verb.",
    ),
    examples=(
        Example("Er sagt, dass sie kommen.", "Er sagt, dass sie kommt."),
        Example("Sie hat gewonnen.", "Sie haben gewonnen."),
        Example("Wir sehen sie.", None),
    ),
    function=_other_number,
)
