"""Every supported architecture: shared scores are those of the model's own forward pass, pair by pair."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import msgspec
import pytest

from kontrast.errors import KontrastError
from kontrast.scoring.engine import EngineOptions, Group, Target
from kontrast.scoring.engines import load_engine
from kontrast.scoring.engines.transformer.stack import Stack

from .models import DECODER_ONLY, ENCODER_DECODERS, make

torch = pytest.importorskip("torch")
pytest.importorskip("transformers")

OPTIONS = EngineOptions(source_language="en", target_language="de", device="cpu", batch_tokens=64)
GROUPS = [
    Group(
        "Did you see the bridge? It was built last year.",
        (
            Target("Hast du die Brücke gesehen? Sie wurde letztes Jahr gebaut."),
            Target("Hast du die Brücke gesehen? Er wurde letztes Jahr gebaut."),
            Target("Hast du die Brücke gesehen? Es wurde letztes Jahr gebaut."),
        ),
    ),
    Group("The cat was tired.", (Target("Die Katze war müde."), Target("Der Katze war müde."), Target("Die"))),
    Group("I bought a new lamp, but it does not work.", (Target("Ich habe eine neue Lampe gekauft."),)),
    Group(
        "It was tired.",
        (Target("Sie war müde.", prefix="Die Katze saß. "), Target("Er war", prefix="Die Katze saß. ")),
    ),
]


@pytest.fixture(scope="module")
def models(tmp_path_factory: pytest.TempPathFactory) -> Any:
    made: dict[str, Path] = {}

    def get(name: str) -> Path:
        if name not in made:
            made[name] = make(name, tmp_path_factory.mktemp(name))
        return made[name]

    return get


def sums(engine: Any, groups: list[Group] = GROUPS) -> list[list[float]]:
    found = dict(engine.score(groups))
    return [[sum(t.logprobs) for t in found[i]] for i in range(len(groups))]


def flat(rows: list[list[float]]) -> list[float]:
    return [value for row in rows for value in row]


@pytest.mark.parametrize("name", [*ENCODER_DECODERS, *DECODER_ONLY])
def test_sharing_gives_the_plain_scores(name: str, models: Any) -> None:
    shared = load_engine(f"hf:{models(name)}", OPTIONS)
    shared.prepare(GROUPS)
    assert shared.supports.sharing, "the check at load fell back to the plain path"
    plain = load_engine(f"hf:{models(name)}", msgspec.structs.replace(OPTIONS, share=False))
    plain.prepare(GROUPS)
    assert not plain.supports.sharing
    assert flat(sums(shared)) == pytest.approx(flat(sums(plain)), abs=1e-3)


@pytest.mark.parametrize("name", ENCODER_DECODERS)
def test_scores_are_those_of_the_models_own_loss(name: str, models: Any) -> None:
    """The start token, the language tokens and the end token are the model's own."""
    from transformers import AutoModelForSeq2SeqLM, AutoTokenizer

    engine = load_engine(f"hf:{models(name)}", OPTIONS)
    group = GROUPS[1]
    model, tokenizer = (
        AutoModelForSeq2SeqLM.from_pretrained(models(name)).eval(),
        AutoTokenizer.from_pretrained(models(name)),
    )
    if name in ("m2m100", "nllb", "mbart", "mbart50"):
        tokenizer.src_lang, tokenizer.tgt_lang = engine.details["langs"].split("-")  # type: ignore[attr-defined]
    inputs = tokenizer([engine.render(group)], return_tensors="pt")
    labels = tokenizer(text_target=[group.targets[0].text], return_tensors="pt")["input_ids"]
    with torch.no_grad():
        given = {"labels": labels.clone()}
        if name == "fsmt":  # its own shift of labels takes the source's length
            given = {"decoder_input_ids": labels.roll(1), "use_cache": False}
        output = model(inputs["input_ids"], attention_mask=inputs["attention_mask"], **given)
    values = torch.log_softmax(output.logits[0], -1).gather(-1, labels[0][:, None])[:, 0]
    if name in ("m2m100", "nllb", "mbart50"):
        values = values[1:]  # the language token is forced
    if name == "mbart":
        values = values[:-1]  # and comes last here
    scored = sums(engine, [group])[0][0]
    assert scored == pytest.approx(float(values.sum()), abs=1e-3)


def test_the_prefix_is_read_and_not_summed(models: Any) -> None:
    engine = load_engine(f"hf:{models('marian')}", OPTIONS)
    groups = [
        Group("It was tired.", (Target("Sie war müde."),)),
        Group("It was tired.", (Target("Sie war müde.", prefix="Die Katze saß. "),)),
        Group("It was tired.", (Target("Die Katze saß. Sie war müde."),)),
    ]
    found = dict(engine.score(groups))
    alone, forced, whole = (found[i][0] for i in range(3))
    assert forced.tokens == alone.tokens and len(whole.tokens) > len(forced.tokens)
    assert forced.logprobs == pytest.approx(whole.logprobs[-len(forced.logprobs) :], abs=1e-4)
    assert sum(forced.logprobs) != pytest.approx(sum(alone.logprobs), abs=1e-3)


def test_what_is_shared_is_run_once(models: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    engine: Any = load_engine(f"hf:{models('marian')}", OPTIONS)
    seen: list[int] = []
    run = Stack.run
    monkeypatch.setattr(
        Stack, "run", lambda own, batch, *rest: (seen.append(len(batch.tokens)), run(own, batch, *rest))[1]
    )
    list(engine.score(GROUPS[:1]))
    [task] = engine.read(GROUPS[:1])
    encoded, decoded = seen
    assert encoded == len(task.source)
    assert decoded < 0.75 * sum(len(path.inputs) for path in task.paths)


def test_a_wrong_sharing_is_found_and_left(models: Any, capsys: Any) -> None:
    engine: Any = load_engine(f"hf:{models('marian')}", OPTIONS)
    engine.parts.decoder.layers[0].own.query.weight.mul_(1.1)
    engine.prepare(GROUPS)
    assert "with sources encoded together instead" in capsys.readouterr().err
    assert engine.supports.sharing == ("encoder",)
    plain = load_engine(f"hf:{models('marian')}", msgspec.structs.replace(OPTIONS, share=False))
    assert flat(sums(engine)) == pytest.approx(flat(sums(plain)), abs=1e-4)


def test_padding_in_the_softmax_is_a_switch(models: Any) -> None:
    with_pad = load_engine(f"hf:{models('marian')}", OPTIONS)
    options = EngineOptions(device="cpu", softmax_pad=False)
    without = load_engine(f"hf:{models('marian')}", options)
    without.prepare(GROUPS)
    assert without.supports.sharing
    assert (with_pad.details["softmax"], without.details["softmax"]) == ("all", "no-pad")
    assert with_pad.identify() != without.identify()
    pairs = zip(flat(sums(with_pad)), flat(sums(without)), strict=True)
    assert all(left < right for left, right in pairs), "a smaller softmax gives larger probabilities"


def test_half_precision_reports_what_it_flips(models: Any) -> None:
    """In a process of its own: AMX instructions are announced, and not allowed, on some virtual machines."""
    code = (
        "import sys; from tests.scoring.test_transformers import GROUPS, EngineOptions, load_engine\n"
        "engine = load_engine('hf:' + sys.argv[1], EngineOptions(device='cpu', dtype='bfloat16'))\n"
        "engine.prepare(GROUPS); print(engine.details['dtype'], engine.supports.sharing)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, str(models("marian"))],
        capture_output=True,
        text=True,
        cwd=Path(__file__).parents[2],
        env={**os.environ, "ONEDNN_MAX_CPU_ISA": "AVX512_CORE"},
    )
    assert done.stdout.split("\n")[0] == "bfloat16 ('encoder', 'prefix')", done.stderr
    assert "bfloat16 prefers another target than float32 in 0 of 3 sampled groups" in done.stderr


def test_languages_are_required_where_the_model_has_tokens_for_them(models: Any) -> None:
    with pytest.raises(KontrastError, match="--target-language is missing"):
        load_engine(f"hf:{models('marian-multi')}", EngineOptions(device="cpu"))
    engine = load_engine(f"hf:{models('marian-multi')}", OPTIONS)
    assert engine.render(GROUPS[1]) == ">>de<< The cat was tired."
    with pytest.raises(KontrastError, match="expected a folder"):
        load_engine("hf:./no-such-folder", OPTIONS)


def test_too_long_a_text_is_refused(models: Any) -> None:
    engine = load_engine(f"hf:{models('marian')}", OPTIONS)
    with pytest.raises(KontrastError, match="longer than the model's 256 tokens"):
        list(engine.score([Group("cat " * 400, (Target("Katze"),))]))


def test_begin_token_is_put_once(models: Any) -> None:
    llama: Any = load_engine(f"hf:{models('llama')}", OPTIONS)
    gpt2: Any = load_engine(f"hf:{models('gpt2')}", OPTIONS)
    gemma: Any = load_engine(f"hf:{models('gemma')}", OPTIONS)
    assert gemma.details["bos"] == "yes" and gpt2.details["bos"] == "no"
    for engine in (llama, gemma):
        path = engine.read(GROUPS[:1])[0].paths[0]
        begin = engine.tokens.tokenizer.bos_token_id
        assert path.inputs.count(begin) == (1 if engine.details["bos"] == "yes" else 0)


def test_what_follows_the_target_closes_it(models: Any) -> None:
    options = msgspec.structs.replace(OPTIONS, template="{source} = {target}.\n")
    engine: Any = load_engine(f"hf:{models('gpt2')}", options)
    assert engine.render(GROUPS[1]) == "The cat was tired. = "
    found = dict(engine.score(GROUPS[1:2]))[0][0]
    assert engine.tokens.tokenizer.convert_tokens_to_string(list(found.tokens)) == " Die Katze war müde..\n"
    with pytest.raises(KontrastError, match=r"{sourcce} is not a field"):
        broken = msgspec.structs.replace(OPTIONS, template="{source}{sourcce}")
        load_engine(f"hf:{models('gpt2')}", broken).render(GROUPS[1])  # type: ignore[union-attr]


def test_chat_template(models: Any, tmp_path: Path) -> None:
    import shutil

    from transformers import AutoTokenizer

    folder = Path(shutil.copytree(models("llama"), tmp_path / "chat"))
    tokenizer = AutoTokenizer.from_pretrained(folder)
    tokenizer.chat_template = (
        "{{ bos_token }}{% for m in messages %}[{{ m.role }}] {{ m.content }}\n{% endfor %}"
        "{% if add_generation_prompt %}[assistant] {% endif %}"
    )
    tokenizer.save_pretrained(folder)
    extra = {"chat": "yes", "system": "Translate."}
    options = EngineOptions(
        source_language="en", target_language="de", device="cpu", extra=extra, template="{source}"
    )
    engine: Any = load_engine(f"hf:{folder}", options)
    assert engine.render(GROUPS[1]) == "[system] Translate.\n[user] The cat was tired.\n[assistant] "
    engine.prepare(GROUPS)
    assert engine.supports.sharing and engine.details["prompt"] == "chat"
    path = engine.read(GROUPS[:1])[0].paths[0]
    assert path.inputs.count(engine.tokens.tokenizer.bos_token_id) == 1
    with pytest.raises(KontrastError, match="no chat template"):
        load_engine(f"hf:{models('llama')}", options)
