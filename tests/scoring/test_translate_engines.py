"""Translations of ct2, marian and openai, with real components; the canary; scoring with own translations."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, ClassVar

import msgspec
import pytest

import kontrast
from kontrast import Item, Suite, Variant
from kontrast.errors import KontrastError
from kontrast.scoring import canary
from kontrast.scoring.engine import EngineOptions
from kontrast.scoring.engines import load_engine
from kontrast.scoring.engines.hf import TINY
from kontrast.scoring.translator import Decoding

PART = kontrast.load("demo:fr")[:12]


@pytest.fixture(scope="module")
def converted(tmp_path_factory: pytest.TempPathFactory) -> Path:
    pytest.importorskip("transformers")
    ctranslate2 = pytest.importorskip("ctranslate2")
    folder = tmp_path_factory.mktemp("ct2") / "tiny"
    ctranslate2.converters.TransformersConverter(str(TINY)).convert(str(folder))
    return folder


def test_ct2_equals_translate_batch(converted: Path) -> None:
    import ctranslate2
    from transformers import MarianTokenizer

    asked = {"extra": {"tokenizer": str(TINY)}, "threads": 1, "device": "cpu"}
    made = kontrast.translate(PART, f"ct2:{converted}", max_length=60, **asked)  # type: ignore[arg-type]
    tokenizer = MarianTokenizer.from_pretrained(TINY)
    translator = ctranslate2.Translator(str(converted), device="cpu", compute_type="float32")
    for item, text in zip(PART.items, made.texts, strict=True):
        pieces = tokenizer.convert_ids_to_tokens(tokenizer(f">>fr<< {item.source}")["input_ids"])
        [best] = translator.translate_batch([pieces], beam_size=4, max_decoding_length=60)[0].hypotheses
        assert text == tokenizer.decode(tokenizer.convert_tokens_to_ids(best), skip_special_tokens=True).strip()


@pytest.mark.parametrize("model", ["tiny", "ct2"])
def test_the_signature_from_the_store_is_that_of_the_first_run(model: str, converted: Path, tmp_path: Path) -> None:
    """Nothing is asked of the model the second time, and the search is named all the same."""
    named = {"extra": {"tokenizer": str(TINY)}} if model == "ct2" else {}
    asked: dict[str, Any] = {"beams": 2, "max_length": 20, "threads": 1, "device": "cpu", **named}
    model = f"ct2:{converted}" if model == "ct2" else model
    path = tmp_path / "s.sqlite"
    first, again = (kontrast.translate(PART[:3], model, store=path, **asked) for _ in range(2))
    assert again.texts == first.texts and again.signature == first.signature
    assert (again.signature.details["beams"], again.signature.details["max"]) == ("2", "20")
    other = kontrast.translate(PART[:3], model, store=path, **{**asked, "beams": 1})
    assert other.signature.details["beams"] == "1" and str(other.signature) != str(first.signature)


def test_ct2_goes_on_from_its_own_translations(converted: Path) -> None:
    asked = {"extra": {"tokenizer": str(TINY)}, "scheme": "sep", "beams": 1, "threads": 1}
    made = kontrast.translate(PART[:4], f"ct2:{converted}", context="prev:1", own=True, **asked)  # type: ignore[arg-type]
    assert all(made.texts) and "<SEP>" not in "".join(made.texts)
    assert [len(before) for before in made.before] == [len(item.source_context or ()) for item in PART[:4]]


def test_the_canary_is_quiet_for_a_sound_model_and_warns_of_a_wrong_side(converted: Path, tmp_path: Path) -> None:
    """A vocabulary whose pieces are cut by the model of another text."""
    import sentencepiece as spm

    good = load_engine("tiny", EngineOptions(source_language="en", target_language="fr", device="cpu"))
    suite = kontrast.load("demo:fr")
    assert canary.problems(good, suite) == []  # type: ignore[arg-type]
    text = (f"zug{n} wagen{n % 7} lok{n % 5} gleis" for n in range(400))
    spm.SentencePieceTrainer.train(
        sentence_iterator=text, model_prefix=str(tmp_path / "other"), vocab_size=90, minloglevel=2
    )
    spoilt = f"{TINY / 'source.spm'},{tmp_path / 'other.model'}"
    options = EngineOptions(template=">>fr<< {source}", extra={"spm": spoilt}, target_language="fr", device="cpu")
    found = canary.problems(load_engine(f"ct2:{converted}", options), suite)  # type: ignore[arg-type]
    assert any("stay the same" in problem and "spm=SOURCE,TARGET" in problem for problem in found)


def test_the_canary_warns_of_a_wrong_language_token() -> None:
    pytest.importorskip("transformers")
    other = load_engine("tiny", EngineOptions(source_language="en", target_language="fr", device="cpu"))
    found = canary.problems(other, kontrast.load("demo:de"))  # type: ignore[arg-type]
    assert any("do not seem to be in the suite's target language" in each and "--target" in each for each in found)


@pytest.mark.parametrize(
    ("program", "said"),
    [
        ("cat", "8 of 8 translations are equal to their source: check the program's language pair"),
        ("sed s/.*/Ja./", "all 8 translations are the same"),
        ("sed s/.*//", "8 of 8 translations are blank"),
    ],
)
def test_the_canary_asks_programs_that_translate(program: str, said: str) -> None:
    suite, loaded = kontrast.load("demo:de"), load_engine(f"command:{program}", EngineOptions())
    assert any(said in each for each in canary.problems(loaded, suite, Decoding()))  # type: ignore[arg-type]
    assert canary.problems(loaded, suite) == [], "a program that scores is not asked to translate"  # type: ignore[arg-type]


def test_own_translations_as_target_context_in_scoring() -> None:
    pytest.importorskip("transformers")
    asked = {"context": "prev:1", "threads": 1, "device": "cpu"}
    own = kontrast.score(PART[:5], "tiny", own=True, **asked)  # type: ignore[arg-type]
    made = kontrast.translate(PART[:5], "tiny", own=True, **asked)  # type: ignore[arg-type]
    items = [msgspec.structs.replace(i, target_context=b) for i, b in zip(PART[:5], made.before, strict=True)]
    by_hand = kontrast.score(msgspec.structs.replace(PART, items=tuple(items)), "tiny", **asked)  # type: ignore[arg-type]
    assert own.values == by_hand.values
    assert own.signature is not None and own.signature.context == "prev:1,both,sep,own-beams4+max256"


@pytest.mark.parametrize("own", [False, True])
def test_marian_translates(own: bool, tmp_path: Path) -> None:
    pytest.importorskip("_pymarian", reason="pymarian is not installed")
    from .marian_files import write_npz
    from .models import make

    write_npz(make("marian-multi", tmp_path / "hf"), tmp_path)
    context: dict[str, Any] = {"context": "prev:1", "own": True, "scheme": " , "} if own else {}
    model = f"marian:{tmp_path / 'model.npz'}"
    if own:
        with pytest.raises(KontrastError, match=r"cannot write the piece '\|' of .* choose another"):
            kontrast.translate(
                PART[:4], model, template=">>fr<< {source}", threads=1, context="prev:1", own=True, scheme=" | "
            )
    made = kontrast.translate(PART[:4], model, template=">>fr<< {source}", threads=1, **context)
    assert len(made.texts) == 4 and not any("▁" in text for text in made.texts)
    assert made.signature.details["beams"] == "4" and "max" not in made.signature.details


class Chat(BaseHTTPRequestHandler):
    """A server that repeats the last line of the question in capitals, with something around it."""

    seen: ClassVar[list[dict[str, Any]]] = []
    wrapped: ClassVar[str] = 'Sure! Here is the translation:\n\n"{}"'

    def do_POST(self) -> None:
        asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.seen.append(asked)
        text = asked["messages"][-1]["content"].splitlines()[-1].upper()
        cut = "LAMP" in text
        choice = {"message": {"content": self.wrapped.format(text)}, "finish_reason": "length" if cut else "stop"}
        body = json.dumps({"choices": [choice]}).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: Any) -> None:
        return None


@pytest.fixture
def chat() -> Iterator[str]:
    pytest.importorskip("httpx")
    Chat.seen.clear()
    server = ThreadingHTTPServer(("127.0.0.1", 0), Chat)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"openai:some@http://127.0.0.1:{server.server_port}/v1"
    server.shutdown()


def test_a_chat_is_asked_and_cleaned_and_a_cut_answer_is_named(
    chat: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    made = kontrast.translate(PART, chat, examples=[("Yes.", "Oui.")], store=tmp_path / "s.sqlite")
    assert made.texts == tuple(item.source.upper() for item in PART.items)
    distinct = len({item.source for item in PART.items})
    assert made.removed == {"lead-in": distinct, "quotes": distinct}
    assert made.cut == tuple(item.id for item in PART.items if "lamp" in item.source) != ()
    assert f"{len(made.cut)} translations were cut off" in capsys.readouterr().err
    assert [turn["role"] for turn in Chat.seen[-1]["messages"]] == ["user", "assistant", "user"]
    before = len(Chat.seen)
    again = kontrast.translate(PART, chat, examples=[("Yes.", "Oui.")], store=tmp_path / "s.sqlite")
    assert again.texts == made.texts and len(Chat.seen) - before == 3, "only the three sentences of the canary"


def test_the_canary_asks_a_server(chat: str) -> None:
    loaded = load_engine(chat, EngineOptions(source_language="en", target_language="fr"))
    found = canary.problems(loaded, kontrast.load("demo:fr"), Decoding())  # type: ignore[arg-type]
    assert any(
        "translations are equal to their source: check --target, or name the language in --template" in each
        for each in found
    )


def test_a_chat_is_told_its_own_translations_as_turns(chat: str) -> None:
    suite = Suite("s", (Item("1", "c.", (Variant("x"), Variant("y")), source_context=("a.", "b.")),), "en", "fr")
    made = kontrast.translate(suite, chat, context="prev:2", own=True)
    assert made.texts == ("C.",) and made.before == (("A.", "B."),)
    turns = [turn["content"].splitlines()[-1] for turn in Chat.seen[-1]["messages"]]
    assert turns == ["a.", "A.", "b.", "B.", "c."]


def test_a_server_has_no_beams(chat: str) -> None:
    with pytest.raises(KontrastError, match="the OpenAI protocol does not have them"):
        kontrast.translate(PART, chat, beams=4)
