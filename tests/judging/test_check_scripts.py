"""The check in scripts without blanks, Turkish capitals, English contractions and Italian without accents."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator

import pytest

from kontrast import Item, KontrastError, Suite, Variant, check
from kontrast.io import words as words_module
from kontrast.judging.check import judge_translations
from kontrast.suites.form_search import look, seek

SCRIPTS = {
    "th": ("เขานอนหลับ", "เธอนอนหลับ", ("ตอนนี้เขากำลังนอนหลับอยู่", "เขาหลับไปแล้ว", "เมื่อวานเขานอนหลับสบาย"), "เธอหลับไปแล้ว"),
    "lo": ("ລາວນອນຫຼັບ", "ຂ້ອຍນອນຫຼັບ", ("ຕອນນີ້ລາວກຳລັງນອນຫຼັບຢູ່", "ລາວນອນແລ້ວ"), "ຂ້ອຍນອນແລ້ວ"),
    "km": ("គាត់បានទៅផ្សារ", "នាងបានទៅផ្សារ", ("ម្សិលមិញគាត់ទៅផ្សារ", "គាត់ទៅហើយ"), "នាងទៅហើយ"),
    "my": ("သူအိပ်နေတယ်", "ကျွန်တော်အိပ်နေတယ်", ("အခု သူအိပ်တယ်",), "အခု ကျွန်တော်အိပ်တယ်"),
}


def suite_of(language: str, right: str, wrong: str) -> Suite:
    return Suite("made", (Item("1", "source", (Variant(right), Variant(wrong, "x"))),), "en", language)


@pytest.mark.parametrize("language", SCRIPTS)
@pytest.mark.parametrize("given", ["as the suite says", None])
def test_words_of_scripts_without_blanks_come_from_a_segmenter(language: str, given: str | None) -> None:
    pytest.importorskip("icu4py")
    right, wrong, good, bad = SCRIPTS[language]
    suite = suite_of(language if given else "", right, wrong)
    for text in (right, *good):
        assert check(suite, [text]).right == 1, text
    for text in (wrong, bad):
        assert check(suite, [text]).wrong == 1, text
    signature = judge_translations(suite, [right]).signature
    assert signature is not None and signature.details["segmenter"].startswith("icu:")


@pytest.fixture
def _without_icu(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(words_module, "_breaker", lambda: None)
    yield


@pytest.mark.usefixtures("_without_icu")
@pytest.mark.parametrize("language", SCRIPTS)
def test_without_a_segmenter_nothing_is_decided_and_the_cure_is_named(language: str) -> None:
    right, wrong, good, _ = SCRIPTS[language]
    suite = suite_of(language, right, wrong)
    with pytest.raises(KontrastError, match=r"kontrast\[check\]"):
        check(suite, [good[0]])
    other = suite_of(language, "Er schläft.", "Sie schläft.").items
    both = Suite("made", (*suite.items, *other), "en", language)
    found = check(both, [good[0], "Er schläft."])
    assert (found.right, found.undecidable, found.accuracy) == (1, 1, 1.0)


def test_a_script_without_dictionary_is_undecidable() -> None:
    with pytest.raises(KontrastError, match="no segmenter"):
        check(suite_of("jv", "ꦲꦏꦸꦠꦸꦫꦸ", "ꦏꦺꦴꦮꦺꦠꦸꦫꦸ"), ["ꦲꦏꦸꦠꦸꦫꦸ"])


@pytest.mark.parametrize("language", ["tr", "az", "tr-TR"])
@pytest.mark.parametrize("form", ["NFC", "NFD"])
def test_dotted_capitals_in_any_form(language: str, form: str) -> None:
    suite = suite_of(language, "İyi bir gün.", "Kötü bir gün.")
    for text in ("İyi günler.", "iyi günler.", "İYİ GÜNLER.", "İyi".lower() + " günler."):
        assert check(suite, [unicodedata.normalize(form, text)]).right == 1, text
    light = suite_of(language, "Işık var.", "Su var.")
    assert check(light, [unicodedata.normalize(form, "IŞIK yok.")]).right == 1


@pytest.mark.parametrize(
    ("right", "wrong", "text", "outcome"),
    [
        ("I can go.", "I cannot go.", "I can't go.", "wrong"),
        ("I can go.", "I cannot go.", "I can not go.", "wrong"),
        ("I can go.", "I cannot go.", "I can go now.", "right"),
        ("I cannot go.", "I can go.", "I can’t go.", "right"),
        ("I will go.", "I would go.", "I'll go.", "right"),
        ("We are here.", "We were here.", "We're here.", "right"),
        ("It will not do.", "It will do.", "It won't do.", "right"),
    ],
)
def test_english_contractions_are_the_words_they_stand_for(right: str, wrong: str, text: str, outcome: str) -> None:
    (one,) = judge_translations(suite_of("en", right, wrong), [text]).items
    assert one.verdict == outcome


@pytest.mark.parametrize(
    ("expected", "reference", "right", "neither"),
    [
        ("arrivera", "Se mai ci arrivera'.", ("Se mai arriverà.", "Se mai ci arrivera'."), "Se mai arriva."),
        ("porto", "Lo porto' via.", ("Lo portò via.",), "Lo porto via."),
        ("sa", "Disse: 'certo che lo sa'.", ("Certo che lo sa!",), "Certo che lo so."),
        ("ha", "Certo che ce l'ha.", ("Ce l’ha.",), "Ce l'ho."),
        ("è", "C'e' un problema.", ("C'è un guaio.", "E' un guaio."), "E un guaio?"),
    ],
)
def test_italian_without_accents(expected: str, reference: str, right: tuple[str, ...], neither: str) -> None:
    sought = seek(Item("1", "source", (Variant(reference),), tags={"expected": expected}), "it")
    assert sought.why is None
    assert [look(sought, text)[0] for text in (reference, *right, neither)] == ["right"] * (1 + len(right)) + [
        "neither"
    ]


def test_an_expected_form_that_the_reference_lacks_decides_nothing() -> None:
    item = Item("1", "I do.", (Variant("Lo voglio."),), tags={"expected": "credo"})
    found = judge_translations(Suite("made", (item,), "en", "it"), ["Lo credo."])
    assert found.items[0].verdict == "undecidable" and "not in the reference" in str(found.items[0].why)
