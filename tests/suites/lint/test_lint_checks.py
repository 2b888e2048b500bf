"""Each check finds what it is for, and only there."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import kontrast
from kontrast import Item, Suite, Variant
from kontrast.errors import KontrastError
from kontrast.io.words import words
from kontrast.suites.form_search import seek
from kontrast.suites.lint import Finding, LintCheck, checks, found
from kontrast.suites.lint.deciding import told_apart
from kontrast.suites.lint.edits import changes, unexplained
from kontrast.suites.lint.language import guess
from kontrast.suites.lint.pairing import misfits


def item(id: str = "1", source: str = "It is old.", right: str = "Sie ist alt.", wrong: str = "Er ist alt.") -> Item:
    return Item(id, source, (Variant(right), Variant(wrong, error="pronoun")))


def suite(*items: Item, **fields: str) -> Suite:
    return Suite("made", items, **{"source_language": "en", "target_language": "de", **fields})  # type: ignore[arg-type]


def by_id(made: Suite, strict: bool = False) -> dict[str, Finding]:
    return {finding.id: finding for finding in kontrast.lint(made, strict=strict)}


CLEAN = item("0", "The dog sleeps.", "Der Hund schläft.", "Die Hund schläft.")


def test_clean_items_are_clean() -> None:
    assert {f.level for f in kontrast.lint(suite(CLEAN, item()))} == {"note"}


@pytest.mark.parametrize(
    ("bad", "id", "level"),
    [
        (item(wrong="Sie ist alt."), "contrastive-equals-reference", "error"),
        (item(wrong=" \u00a0"), "empty-text", "error"),
        (item(source=""), "empty-text", "error"),
        (item(right="Sie ist\talt."), "control-characters", "error"),
        (item(wrong="Er ist \x96 alt."), "control-characters", "error"),
        (item(wrong="Er ist\u200b alt."), "invisible-characters", "warning"),
        (item(right="Sie fÃ¤hrt."), "broken-encoding", "warning"),
        (item(right="Die Tu\u0308r ist alt."), "mixed-normal-forms", "warning"),
        (item(wrong="Sie ist  alt."), "contrastive-differs-in-spacing", "warning"),
        (item(right="Die Tür.", wrong="Die Tu\u0308r."), "contrastive-differs-in-spacing", "warning"),
        (CLEAN, "duplicate-item", "warning"),
        (CLEAN, "duplicate-id", "warning"),
        (item(source="Sie ist sehr alt.", right="Sie ist sehr alt."), "source-equals-target", "warning"),
        (item(right="Она очень старая."), "wrong-script", "warning"),
        (item(right="It is in the house and the dog is there."), "wrong-language", "warning"),
    ],
)
def test_found(bad: Item, id: str, level: str) -> None:
    finding = by_id(suite(CLEAN, bad))[id]
    assert (finding.level, finding.count, finding.items) == (level, 1, (bad.id,))
    assert "1 of 2 items" in finding.message


def test_two_equal_foils() -> None:
    three = Item("x", "It.", (Variant("Sie."), Variant("Er."), Variant("Er.")))
    assert by_id(suite(three))["duplicate-row"].items == ("x",)


def test_context_tells_variants_apart() -> None:
    deixis = Item(
        "1", "And you?", (Variant("Und Sie?", context=("Guten Tag!",)), Variant("Und Sie?", context=("Hi!",)))
    )
    assert "contrastive-equals-reference" not in by_id(suite(deixis))


def test_foil_that_is_meant_to_be_empty() -> None:
    empty = Item("1", "It.", (Variant("Sie."), Variant("", error="base_id33_empty")))
    assert "empty-text" not in by_id(suite(empty))


def test_same_text_from_another_document_is_a_note() -> None:
    one, two = (item(str(i)).__replace__(document=f"d{i}", segment=1) for i in (1, 2))
    assert by_id(suite(one, two))["duplicate-item"].level == "note"
    again = one.__replace__(id="3")
    assert by_id(suite(one, again))["duplicate-item"].level == "warning"


def annotated(number: int, lacking: int) -> Suite:
    items = [
        item(str(i), "They are old." if i < lacking else "It is old.").__replace__(
            tags={"src_pronoun": "It", "ref_pronoun": "sie"}
        )
        for i in range(number)
    ]
    return suite(*items)


def test_annotation_threshold() -> None:
    assert "annotation-not-in-text" not in by_id(annotated(40, 0))
    few = by_id(annotated(40, 2))["annotation-not-in-text"]
    assert (few.level, few.count) == ("warning", 2)
    many = by_id(annotated(40, 3))["annotation-not-in-text"]
    assert (many.level, many.count, many.items) == ("error", 3, ("0", "1", "2"))


@pytest.mark.parametrize("tag", ["ref_pronoun", "replacement"])
def test_annotation_of_the_target(tag: str) -> None:
    right, wrong = Variant("Sie ist alt."), Variant("Er ist alt.", tags={"replacement": "er"})
    fine = Item("1", "It is old.", (right, wrong), tags={"ref_pronoun": "Sie"})
    assert "annotation-not-in-text" not in by_id(suite(fine))
    if tag == "replacement":
        bad = fine.__replace__(variants=(right, wrong.__replace__(tags={"replacement": "es"})))
    else:
        bad = fine.__replace__(tags={"ref_pronoun": "es"})
    assert tag.replace("_", " ") in by_id(suite(bad))["annotation-not-in-text"].message


def test_an_elided_pronoun_leans_on_the_next_word() -> None:
    elided = item("1", "I saw it.", "Je l'ai vue.", "Je l'ai vu.").__replace__(tags={"ref_pronoun": "l'"})
    assert "annotation-not-in-text" not in by_id(suite(elided, target_language="fr"))


def test_impersonal_pronoun() -> None:
    bad = item("1", "It must be done.", "Il ne faut pas le faire.", "Elle ne faut pas le faire.")
    good = item("2", "It is big.", "Il est grand.", "Elle est grande.")
    made = suite(*(i.__replace__(tags={"ref_pronoun": "il"}) for i in (bad, good)), target_language="fr")
    assert by_id(made)["impersonal-pronoun"].items == ("1",)


def test_changes_ignore_what_is_equal() -> None:
    assert changes("a b c d e", "a x c d") == [(["b"], ["x"]), (["e"], [])]
    assert changes("a b", "a b") == []
    assert changes("Sie kommt", "Er kommt") == [(["sie"], ["er"])]


def test_agreement_is_explained() -> None:
    assert unexplained(changes("Elle est fatiguée et contente.", "Il est fatigué et content.")) == []
    assert unexplained(changes("Er hat seinen Hut.", "Sie hat ihren Hut.")) == []
    assert unexplained(changes("Er hat den Wagen.", "Sie hat den Teller.")) == [("wagen", "teller")]


def test_foil_with_a_second_change() -> None:
    bad = Item(
        "b", "It.", (Variant("Er sieht den Wagen."), Variant("Sie sieht den Teller.", tags={"replacement": "sie"}))
    )
    assert by_id(suite(bad))["foil-changes-another-word"].items == ("b",)


def test_foil_that_changes_far_more_than_others() -> None:
    items = [item(str(i), f"It is number {i}.", f"Sie ist Nummer {i}.", f"Er ist Nummer {i}.") for i in range(25)]
    odd = item("odd", "It is here.", "Sie ist hier.", "Dieser ganz andere Satz hat nichts damit zu tun, gar nichts.")
    assert by_id(suite(*items, odd))["foil-differs-too-much"].items == ("odd",)


def test_place_of_the_correct_variant() -> None:
    first = [item(str(i), f"It {i}.", f"Sie {i}.", f"Er {i}.") for i in range(4)]
    assert by_id(suite(*first))["correct-always-at-one-index"].level == "note"
    assert by_id(suite(*first, style="consistency"))["correct-always-at-one-index"].level == "warning"
    mixed = [i.__replace__(correct=n % 2) for n, i in enumerate(first)]
    assert "correct-always-at-one-index" not in by_id(suite(*mixed))


def test_ignorant_scorers() -> None:
    # Shorter is better wins the first, ties among three in the second.
    one = item("1", "It.", "Er ist.", "Sie ist.")
    two = Item("2", "It.", (Variant("Sie"), Variant("Ihr"), Variant("Wir")))
    message = by_id(suite(one, two))["ignorant-scorers"].message
    assert "random 41.7%" in message
    assert "shorter is better 66.7%" in message
    assert "longer is better 16.7%" in message


def test_unbalanced_classes() -> None:
    items = [item(str(i)).__replace__(tags={"ref_pronoun": "sie" if i else "er"}) for i in range(11)]
    assert "sie 10, er 1" in by_id(suite(*items))["unbalanced-classes"].message


def test_strict_turns_warnings_into_errors() -> None:
    made = suite(CLEAN, CLEAN)
    assert by_id(made)["duplicate-item"].level == "warning"
    assert by_id(made, strict=True)["duplicate-item"].level == "error"
    assert by_id(made, strict=True)["ignorant-scorers"].level == "note"


def test_swapped_targets_are_found() -> None:
    made = kontrast.bundled("demo:de")
    assert len(misfits(made)) <= 0.02 * len(made.items)
    items = list(made.items)
    swapped = set()
    for i in range(0, len(items) - 1, 10):
        a, b = items[i], items[i + 1]
        if a.source != b.source:
            items[i], items[i + 1] = a.__replace__(variants=b.variants), b.__replace__(variants=a.variants)
            swapped |= {i, i + 1}
    named = set(misfits(made.__replace__(items=tuple(items))))
    assert len(named & swapped) >= 0.4 * len(swapped)
    assert len(named & swapped) >= 0.8 * len(named)


def test_empty_suite() -> None:
    assert kontrast.lint(Suite("none", ())) == []


def test_ids_are_unique_and_documented() -> None:
    ids = [check.id for check in checks()]
    assert len(set(ids)) == len(ids)
    page = (Path(__file__).resolve().parents[3] / "docs" / "lint.md").read_text(encoding="utf-8")
    assert [check.id for check in checks() if f"| `{check.id}` | {check.level} |" not in page] == []


@given(*[st.text("abI'-é ?", max_size=8)] * 2, st.sampled_from([None, "de", "en", "fr", "it", "tr"]), st.booleans())
def test_a_pair_that_is_told_apart_at_once_can_be_decided(
    right: str, wrong: str, language: str | None, annotated: bool
) -> None:
    tags = ({"ref_pronoun": "a"}, {"replacement": "b"}) if annotated else ({}, {})
    item = Item("1", "it", (Variant(right), Variant(wrong, tags=tags[1])), tags=tags[0])
    if told_apart(item, language):
        assert seek(item, language).why is None


def test_a_check_of_ones_own() -> None:
    loud = LintCheck("loud", "note", "capitals", lambda s: found("loud", "note", s, [0], "{n} are loud"))
    assert kontrast.lint(suite(CLEAN), also=[loud])[-1].message == "1 of 1 item are loud"


def test_repeated_words_are_one_sign_of_a_language() -> None:
    assert guess(words("No, no, no. Don't, don't."), "en") is None


texts = st.text(max_size=30)
variants = st.builds(Variant, texts, st.none() | texts, st.none() | st.tuples(texts), st.just({"replacement": "er"}))
values = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | texts | st.lists(texts, max_size=2)
items = st.builds(
    Item,
    texts,
    texts,
    st.tuples(variants, variants),
    st.integers(0, 1),
    source_context=st.none() | st.tuples(texts),
    target_next=st.none() | st.tuples(texts),
    tags=st.dictionaries(st.sampled_from(["src_pronoun", "ref_pronoun", "distance", "type"]), values),
)


@settings(max_examples=60, deadline=None)
@given(st.lists(items, max_size=60).map(tuple), st.sampled_from(["de", "fr", "ru", "xx", None]))
def test_any_suite_is_linted_and_described(made: tuple[Item, ...], language: str | None) -> None:
    any_suite = Suite("any", made, language, language)
    ids = {item.id for item in made}
    assert all(finding.message and ids.issuperset(finding.items) for finding in kontrast.lint(any_suite))
    assert kontrast.describe(any_suite).items == len(made)


def test_a_suite_without_languages_is_told_how_to_name_them(tmp_path: Path) -> None:
    table = tmp_path / "mine.csv"
    table.write_text("source,right,wrong\nI see.,Eu vejo.,Eu vê.\n", "utf-8")
    told = {f.id: f.message for f in kontrast.lint(table)}
    assert told["languages-missing"].endswith("use SUITE?lang=en-pt")
    assert "languages-missing" not in {f.id for f in kontrast.lint(f"{table}?lang=en-pt")}


def joining(folder: Path) -> str:
    """A tokenizer of single characters that joins *r* with a comma."""
    transformers = pytest.importorskip("transformers")
    from tokenizers import Tokenizer, models

    vocab = {sign: i for i, sign in enumerate([*"ESeirja, .", "r,"])}
    made = transformers.PreTrainedTokenizerFast(tokenizer_object=Tokenizer(models.BPE(vocab, [("r", ",")])))
    made.save_pretrained(folder)
    return f"hf:{folder}"


def test_shared_words_that_a_tokenizer_cuts_differently(tmp_path: Path) -> None:
    items = (item("comma", right="Sie, ja.", wrong="Er, ja."), item("blank", right="Sie ja.", wrong="Er ja."))
    [said] = [f for f in kontrast.lint(suite(*items), tokenizer=joining(tmp_path)) if f.id.startswith("token")]
    assert (said.id, said.level, said.items) == ("tokenisation-sensitive", "note", ("comma",))
    assert said.message.endswith("into different tokens (, and r,)")


def test_shared_words_with_the_bundled_tokenizer() -> None:
    pytest.importorskip("transformers")
    texts = {
        "elision": ("Elle n'était pas là… ici.", "Elle était là… ici."),
        "pronoun": ("Elle était là.", "Il était là."),
        "unread": ("Elle\u200best là.", "Il\u200best là."),
    }
    made = suite(*(item(id, right=right, wrong=wrong) for id, (right, wrong) in texts.items()), target_language="fr")
    said = {f.id: f.items for f in kontrast.lint(made, tokenizer="tiny") if f.id.startswith("token")}
    assert said == {"tokenisation-sensitive": ("elision",), "tokenisation-unread": ("unread",)}


@pytest.mark.parametrize("name", ["openai:x", "hf:", "hf:./nowhere"])
def test_a_tokenizer_that_cannot_be_had_is_refused(name: str) -> None:
    pytest.importorskip("transformers")
    with pytest.raises(KontrastError, match=f"--tokenizer {name}: "):
        kontrast.lint(suite(CLEAN), tokenizer=name)
