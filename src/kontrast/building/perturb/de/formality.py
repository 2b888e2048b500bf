"""Formality: the polite *Sie* becomes *du* with its verbs and pronouns, or the reverse; all of them or none."""

from __future__ import annotations

from collections.abc import Iterator

from kontrast.building.perturb.de.grammar import (
    IMPERATIVES,
    finite_code,
    finite_verbs,
    imperative,
    is_polite_request,
    other_form,
    subject_of,
)
from kontrast.building.perturb.de.mixed_address import (
    has_small_sie,
    hides_modal,
    is_of_other_texts,
    keeps_another,
    may_be_object,
)
from kontrast.building.perturb.de.negation import part_around
from kontrast.building.perturb.de.own_reflexive import Edit, chunk_around, is_controlled, own_pronoun
from kontrast.building.perturb.perturbation import Candidate, Example, Perturbation, candidate
from kontrast.building.perturb.text import like, opens_sentence
from kontrast.language.annotation import Sentence
from kontrast.language.lexicons.german import noun_readings, readings, verb_forms

_ENDINGS = ("", "e", "en", "em", "er", "es")
_FAMILIAR = {"ihnen": "dir", **{"ihr" + e: "dein" + e for e in _ENDINGS}}
_POLITE = {"dir": "Ihnen", "dich": "Sie", **{"dein" + e: "Ihr" + e for e in _ENDINGS}}
_SEVERAL = frozenset("alle beide beiden einander miteinander untereinander damen herren herrschaften leute".split())
"""Who is addressed with these is more than one: not du."""
_SUBJECTS = frozenset("ich er es man wir wer sie".split())
"""Right after these Sie is an object: bis er Sie lesen hört."""
_AUXILIARIES = frozenset("können müssen sollen wollen dürfen haben sind möchten könnten sollten hatten waren".split())
_NO_REQUEST = frozenset(("NOUN", "ADJ", "DET", "ADV", "PRON"))
_BARE = frozenset("hör hol komm geh mach sag frag wart bleib lass schau denk glaub lern kauf spiel trink".split())
"""Imperatives that taggers take for something else."""
_STATES = frozenset(
    "haben sein werden sehen finden erhalten bekommen kennen wissen brauchen benötigen gelangen hören verlieren "
    "sitzen stehen liegen wohnen arbeiten leben heißen gehören müssen erkennen verfügen besitzen befinden".split()
)
"""Verbs of which a statement is likelier than a request."""


def _other_address(sentence: Sentence) -> Iterator[Candidate]:
    for edits in (_to_familiar(sentence), _to_polite(sentence)):
        if edits:
            weak = _is_condition(sentence) or _has_small_ihr(sentence)
            weak = weak or has_small_sie(sentence) or is_of_other_texts(sentence)
            weak = weak or keeps_another(sentence) or may_be_object(sentence) or hides_modal(sentence)
            yield candidate("formality", sentence, edits, chain=len(edits) > 2, weak=weak)


def _has_small_ihr(sentence: Sentence) -> bool:
    """*in ihrem Verzeichnis*: theirs, or a misspelt Ihrem that would keep the other address."""
    return any(token.text in _FAMILIAR for token in sentence.tokens)


def _is_condition(sentence: Sentence) -> bool:
    """*Geben Sie nichts an, wird …*: no request, but a clause with if."""
    tokens, finite = sentence.tokens, set(finite_verbs(sentence))
    first = [t.text for t in tokens].index(",") if any(t.text == "," for t in tokens) else 0
    opened = first > 1 and tokens[0].pos in ("VERB", "AUX") and tokens[1].text in ("Sie", "du")
    return opened and first + 1 in finite and not any(t.text in '"„“»«' for t in tokens[:first])


def _to_familiar(sentence: Sentence) -> list[Edit]:
    tokens = sentence.tokens
    verbs: dict[int, int] = {}
    requests: dict[int, int] = {}
    for i in finite_verbs(sentence):
        subject = subject_of(sentence, i, shared=True)
        if subject is not None and tokens[subject].text == "Sie":
            if _after_break(sentence, subject):
                return []
            verbs[i] = subject
            if is_polite_request(sentence, i, subject):
                if _may_state(sentence, i):
                    return []
                requests[i] = subject
    edits = [_imperative(sentence, i) if i in requests else _finite(sentence, i, "2s") for i in verbs]
    pronouns = set(verbs.values())
    if not edits or _addresses_several(sentence) or _hides_a_verb(sentence, verbs) or _leaves_one(sentence, verbs):
        return []
    for i, token in enumerate(tokens):
        low = token.text.lower()
        if token.text == "Sie":
            # An object, or a subject whose verb was not found: all or nothing.
            if i in requests.values():
                edits.append((tokens[i - 1].end, token.end, ""))
            else:
                edits.append((token.start, token.end, "du") if i in pronouns else None)
        elif low == "sich":
            edits.append(own_pronoun(sentence, i, verbs))
        elif token.text[:1] == "I" and low in _FAMILIAR:
            new = _FAMILIAR[low]
            edits.append((token.start, token.end, like("I", new) if opens_sentence(sentence, i) else new))
    return _all_or_none(edits)


def _may_state(sentence: Sentence, verb: int) -> bool:
    """*Wenn …, haben Sie sich …*; *Dann sehen Sie …*: after something of the sentence, what is or happens to one."""
    before = sentence.tokens[verb - 1].text.lower() if verb else ""
    lemmas = {r.lemma for r in readings(sentence.tokens[verb].text.lower()) if r.pos == "V"}
    part = part_around(sentence, verb)
    if before == "," and sentence.tokens[part[0]].text.lower() in ("wenn", "falls", "sobald", "sofern", "solange"):
        return True  # Wenn …, kommen Sie in den Genuss
    if lemmas & {"haben", "sein"} and not verb:
        return True  # Haben Sie eine Liste, so …
    return before not in ("", "bitte", "und", ".", "!", ":", ";") and bool(lemmas & _STATES)


def _to_polite(sentence: Sentence) -> list[Edit]:
    tokens = sentence.tokens
    verbs = [i for i in finite_verbs(sentence) if (finite_code(tokens[i]) or "")[1:] == "2s"]
    subjects = {subject_of(sentence, i, shared=True) for i in verbs}
    named = {i for i, token in enumerate(tokens) if token.text.lower() == "du"}
    if not named or subjects - {None} != named or any(_is_request(sentence, i) for i in range(len(tokens))):
        return []
    edits = [_finite(sentence, i, "3p") for i in verbs]
    for i, token in enumerate(tokens):
        low = token.text.lower()
        if i in named:
            edits.append((token.start, token.end, "Sie"))
        elif low in ("dich", "dir"):
            reflexive = chunk_around(sentence, i) & named or is_controlled(sentence, i, named)
            edits.append((token.start, token.end, "sich" if reflexive else _POLITE[low]))
        elif low == "sich" and chunk_around(sentence, i) & named:
            return []  # wechselst du sich ab: the text has the other address already
        elif low.startswith("dein") or (token.text == "Sie" and not opens_sentence(sentence, i)):
            edits.append((token.start, token.end, _POLITE[low]) if low in _POLITE else None)
    return _all_or_none(edits)


def _all_or_none(edits: list[Edit | None]) -> list[Edit]:
    return [edit for edit in edits if edit] if all(edits) else []


def _finite(sentence: Sentence, verb: int, person: str) -> Edit | None:
    token = sentence.tokens[verb]
    code = finite_code(token)
    if code is None or code[0] not in "ptc" or code[1:] not in ("3p", "2s"):
        return None
    new = other_form(token.text, code, code[0] + person)
    return (token.start, token.end, like(token.text, new)) if new else None


def _imperative(sentence: Sentence, verb: int) -> Edit | None:
    """*Kommen Sie* → *Komm*."""
    token = sentence.tokens[verb]
    found = next((r for r in readings(token.text.lower()) if r.pos == "V" and "i" in r.codes), None)
    form = imperative(found.lemma) if found is not None else None
    # Überprüfen Sie: a particle that stands with its verb here is none.
    return (token.start, token.end, like(token.text, found.feature + form)) if found and form else None


def _after_break(sentence: Sentence, subject: int) -> bool:
    """Is the capital of Sie perhaps that of a sentence's first word?"""
    return opens_sentence(sentence, subject) or sentence.tokens[subject - 1].text == ";"


def _leaves_one(sentence: Sentence, verbs: dict[int, int]) -> bool:
    """*mit denen Sie Budgets erzeugen und löschen können*: an auxiliary in the plural without a subject."""
    loose = (k for k, t in enumerate(sentence.tokens) if t.text in _AUXILIARIES and k not in verbs)
    return any(subject_of(sentence, k) is None for k in loose)


def _addresses_several(sentence: Sentence) -> bool:
    """*Meine Damen und Herren*, *Liebe Kollegen, …*."""
    tokens = sentence.tokens
    if any(token.text.lower() in _SEVERAL for token in tokens):
        return True
    opened = [t.text.lower() for t in tokens[:2]]
    greeted = opened[:1] in (["liebe"], ["werte"]) or opened == ["sehr", "geehrte"]
    noun = next((t for t in tokens[:4] if t.pos == "NOUN"), None)
    return greeted and noun is not None and any(c[1:2] == "p" for r in noun_readings(noun.text) for c in r.codes)


def _hides_a_verb(sentence: Sentence, verbs: dict[int, int]) -> bool:
    """Is a plural verb beside Sie, or at the clause's end (… und essen, … fahren werden), not among those found?"""
    tokens = sentence.tokens
    for subject in verbs.values():
        if subject and tokens[subject - 1].text.lower() in _SUBJECTS:
            return True
        for beside in (subject - 1, subject + 1):
            if 0 <= beside < len(tokens) and beside not in verbs and _is_plural_verb(sentence, beside):
                return True
    requests = [v for v, subject in verbs.items() if is_polite_request(sentence, v, subject)]
    if requests and any(v not in requests and subject_of(sentence, v) is None for v in verbs):
        return True  # wählen Sie das Gerät, wählen das Profil und klicken
    for verb, subject in verbs.items():
        if verb + 1 < len(tokens) and tokens[verb + 1].pos == "AUX":
            return True
        between = tokens[subject + 1 : verb]
        if _is_joined_verb(sentence, verb):
            return True  # wenn Sie eine Stadt erobern oder übertragen
        if any(t.tag in ("VVINF", "VVFIN") for t in between) and any(t.tag == "KON" for t in between):
            return True  # wenn Sie ihn versetzen und dann aufwecken
        joined = False
        for token in tokens[verb + 1 :]:
            if token.pos == "PUNCT" or token.tag.endswith("FIN"):
                break
            joined = joined or token.tag == "KON"
            if joined and token.tag == "VVINF" and tokens[verb].tag in ("VVFIN", "VAFIN"):
                return True
    return False


def _is_joined_verb(sentence: Sentence, verb: int) -> bool:
    """Is there, between *und* behind the verb and the next sign, a word that may be a plural verb too?"""
    if sentence.tokens[verb].tag in ("VMFIN", "VAFIN"):
        return False
    joined = False
    for token in sentence.tokens[verb + 1 :]:
        if token.pos == "PUNCT":
            return False
        if joined and token.tag == "VVPP" and any({"i", "p3p"} & r.codes for r in readings(token.text.lower())):
            return True
        joined = joined or token.tag == "KON"
    return False


def _is_plural_verb(sentence: Sentence, i: int) -> bool:
    """By its form; taggers take a verb for a noun where a sentence begins with it (Klicken Sie …)."""
    token = sentence.tokens[i]
    if (token.pos not in ("VERB", "AUX") and not opens_sentence(sentence, i)) or token.tag == "VVPP":
        return False
    found = [r for r in readings(token.text.lower()) if r.pos == "V"]
    if not found:
        return token.text.endswith("en") and opens_sentence(sentence, i)
    return any({"i", "p3p", "t3p", "c3p"} & r.codes for r in found)


def _is_request(sentence: Sentence, i: int) -> bool:
    """*Gib mir …*, *Hör mal, …*: an imperative, tagged so, or a verb's bare stem where a clause begins."""
    token = sentence.tokens[i]
    if token.tag == "VVIMP" or token.text == "sei":
        return True
    if token.text[:-1] in IMPERATIVES and token.text[-1] == "s":
        return True  # so nimms
    before = sentence.tokens[i - 1] if i else None
    if token.text in _BARE and i + 1 < len(sentence.tokens) and sentence.tokens[i + 1].text in ("dir", "dich", "mal"):
        return True  # für mehr schau dir … an
    if before is not None and before.pos not in ("PUNCT", "CCONJ"):
        return False
    after = sentence.tokens[i + 1].text.lower() if i + 1 < len(sentence.tokens) else ""
    low = token.text.lower().removesuffix("'s")
    low = low[:-1] if low[:-1] in IMPERATIVES and low.endswith("s") else low
    told = after == "es" and token.text.endswith("e") and opens_sentence(sentence, i)  # Versuche es nochmal
    if (after in ("ich", "er", "sie", "es", "man", "du") and not told) or low in (
        "du",
        "ich",
        "wenn",
        "was",
        "und",
        "weil",
    ):
        return False
    stems = {low + "en", low + "n", low.removesuffix("e") + "en", low.removesuffix("e") + "n"}
    verbal = low in IMPERATIVES or any(verb_forms(stem) for stem in stems)
    return verbal and (opens_sentence(sentence, i) or low in _BARE or token.pos not in _NO_REQUEST)


perturbation = Perturbation(
    name="formality",
    language="de",
    summary="the polite address becomes the familiar one, or the reverse",
    conditions=(
        "Sie within a sentence is the subject of a verb: it becomes du, its verbs their second person singular, and "
        "all forms of Sie and Ihr follow; du becomes Sie in the same way.",
        "Reflexives become dich or dir (beside an object: dir das Kennwort merken), and sich in the other direction.",
        "All or nothing: not where a Sie is an object, a verb is not known, more than one are addressed, or the text "
        "has the other address already (wechselst du sich ab).",
        "Requests change too: Kommen Sie bitte, Komm bitte; not those with du.",
        "Not where Sie opens the sentence (she, they or you). Weak beside a small ihr, ihre, ihnen, which may be a "
        "misspelt one of the address; where a form stays as it is (SIE, an imperative); and where Sie may be "
        "an object (sondern Sie unterstützen); beside a small sie that may be a misspelt one; and where the lines "
        "around have the other address.",
    ),
    examples=(
        Example("Wissen Sie, was Ihnen fehlt?", "Weißt du, was dir fehlt?"),
        Example("Heute kommst du mit deinem Hund.", "Heute kommen Sie mit Ihrem Hund."),
        Example("Er weiß, dass Sie sich das Wort merken.", "Er weiß, dass du dir das Wort merkst."),
        Example("Heute machst du es und freust dich.", "Heute machen Sie es und freuen sich."),
        Example("Setzen Sie sich und warten Sie.", "Setz dich und warte."),
        Example("Heute kommt sie.", None),
    ),
    function=_other_address,
)
