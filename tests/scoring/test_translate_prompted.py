"""Prompted models as they are used: chats, examples, templates from files, completions, suites with documents."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

import kontrast
from kontrast import Item, Suite, Variant
from kontrast.cli import kontrast as commands

torch = pytest.importorskip("torch")
pytest.importorskip("transformers")

from .test_translate_generate import LENGTH, SOURCES, engine, suite, varied  # noqa: E402

CHAT = "{% for m in messages %}[{{ m['role'] }}] {{ m['content'] }} {% endfor %}[assistant]"
SHOTS = (("The lamp was new.", "Die Lampe ist neu."), ("It was tired.", "Sie war müde."))


def written(model: Any, tokenizer: Any, prompt: str, stops: list[int]) -> str:
    """The answer to one prompt, by generate alone."""
    given = tokenizer(prompt, add_special_tokens=False, return_tensors="pt")
    with torch.inference_mode():
        [row] = model.generate(**given, do_sample=False, max_new_tokens=LENGTH, eos_token_id=stops)
    new = row[given["input_ids"].shape[1] :].tolist()
    end = next((n for n, token in enumerate(new) if token in stops), len(new))
    return " ".join(tokenizer.decode(new[:end], skip_special_tokens=True).split())


@pytest.mark.parametrize("shots", [0, 2])
def test_a_chat_model_is_asked_in_its_own_template(shots: int, tmp_path: Path) -> None:
    model, tokenizer = varied("llama", tmp_path / "llama")
    tokenizer.chat_template = CHAT
    asked = {"template": "Into German: {source}", "extra": {"chat": "yes", "system": "You translate."}}
    loaded = engine(model, tokenizer, examples=SHOTS[:shots], **asked)
    made = kontrast.translate(suite()[:6], loaded, max_length=LENGTH, clean=False)
    begin = [{"role": "system", "content": "You translate."}]
    for source, target in SHOTS[:shots]:
        begin += [{"role": "user", "content": f"Into German: {source}"}, {"role": "assistant", "content": target}]
    for source, text in zip(SOURCES[:6], made.texts, strict=True):
        turns = [*begin, {"role": "user", "content": f"Into German: {source}"}]
        prompt = tokenizer.apply_chat_template(turns, tokenize=False, add_generation_prompt=True)
        assert text == written(model, tokenizer, prompt, loaded.tokens.stops())
    assert len(set(made.texts)) > 1 and made.signature.details["prompt"] == "chat"


def test_examples_stand_before_the_sentence(tmp_path: Path) -> None:
    model, tokenizer = varied("llama", tmp_path / "llama")
    loaded = engine(model, tokenizer, template="{source} = ", examples=SHOTS)
    made = kontrast.translate(suite()[:6], loaded, max_length=LENGTH, clean=False)
    shown = "".join(f"{source} = {target}\n" for source, target in SHOTS)
    for source, text in zip(SOURCES[:6], made.texts, strict=True):
        assert text == written(model, tokenizer, f"{shown}{source} =", loaded.tokens.stops())
    bare = kontrast.translate(suite()[:6], engine(model, tokenizer, template="{source} = "), max_length=LENGTH)
    assert bare.texts != made.texts


def test_a_template_from_a_file_and_a_seed_on_the_command_line(tmp_path: Path) -> None:
    """The same words in a file give the same translations; a seed repeats a sample, another one does not."""
    kontrast.save(suite()[:6], tmp_path / "s.jsonl")
    (tmp_path / "t.txt").write_text("Say {source} = ")
    varied("llama", tmp_path / "llama")

    def lines(*more: str) -> str:
        given = ["translate", str(tmp_path / "s.jsonl"), "--model", f"hf:{tmp_path / 'llama'}", "--max-length", "8"]
        out = tmp_path / "out.txt"
        result = CliRunner().invoke(commands, [*given, "--out", str(out), "--no-store", "--device", "cpu", *more])
        assert result.exit_code == 0, result.output
        return out.read_text()

    assert lines("--template", f"@{tmp_path / 't.txt'}") == lines("--template", "Say {source} = ")
    sampled = [lines("--temperature", "1.0", "--seed", seed) for seed in ("1", "1", "2")]
    assert sampled[0] == sampled[1] != sampled[2]


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    pytest.importorskip("fastapi")
    from .language_server import LanguageModel, application, serving

    with serving(application(LanguageModel())) as url:
        yield url


def test_completions_end_with_their_line(address: str, tmp_path: Path) -> None:
    """A server with a real model: the line after the examples is the translation, what follows it is not."""
    texts = ["The cat sleeps.", "The dog eats.", "The child sleeps."]
    items = [Item(str(n), text, (Variant("a"), Variant("b"))) for n, text in enumerate(texts)]
    three = Suite("three", tuple(items), "en", "de")
    asked: dict[str, Any] = {"extra": {"api": "completions"}, "store": tmp_path / "s.sqlite", "max_length": 24}
    made = kontrast.translate(three, f"openai:small@{address}/vllm/v1", **asked)
    assert made.texts == ("Die Katze schläft.", "Der Hund frisst.", "Das Kind schläft.")
    short = kontrast.translate(three, f"openai:small@{address}/vllm/v1", **{**asked, "max_length": 2})
    assert short.cut == ("0", "1", "2") and short.signature.details["max"] == "2"
    again = kontrast.translate(three, f"openai:small@{address}/vllm/v1", **asked)
    assert again.texts == made.texts and not again.cut, "the short answers are not those of a longer run"


def test_a_suite_with_its_documents(tmp_path: Path) -> None:
    """Context comes from the documents, and a rollout begins where the document does."""
    folder = tmp_path / "docs"
    folder.mkdir()
    lines = [f"Sentence {n}." for n in range(6)]
    (folder / "a.en").write_text("".join(f"{line}\n" for line in lines))
    (folder / "a.de").write_text("".join(f"Satz {n}.\n" for n in range(6)))
    item = Item("i", lines[4], (Variant("Satz 4."), Variant("Satz 5.")), document="a", segment=5)
    kontrast.save(Suite("d", (item,), "en", "de"), tmp_path / "d.jsonl")
    code = "import sys\nfor line in sys.stdin: print(line.strip().replace('\\t', ' <- '), flush=True)"
    (tmp_path / "p.py").write_text(code)
    import sys

    model = f"command:{sys.executable} {tmp_path / 'p.py'}"
    asked: dict[str, Any] = {"documents": folder, "scheme": " | "}
    before = kontrast.translate(tmp_path / "d.jsonl", model, context="prev:2", **asked)
    assert before.said == ("Sentence 2. | Sentence 3. | Sentence 4.",) and before.texts == ("Sentence 4.",)
    own = kontrast.translate(
        tmp_path / "d.jsonl", model, context="prev:1", own=True, extra={"prefix": "yes"}, side="target", **asked
    )
    assert len(own.before[0]) == 4 and own.before[0][0] == "Sentence 0."
    assert own.signature.details["from"] == "documents"
    (folder / "a.en").write_text("".join(f"{line}\n" for line in lines[:3]))
    with pytest.raises(kontrast.KontrastError, match="a"):
        kontrast.translate(tmp_path / "d.jsonl", model, context="prev:2", **asked)
