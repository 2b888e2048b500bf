"""Where prompt and target meet: a token that joins them is charged to no variant, in every engine alike."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import pytest

from kontrast.errors import KontrastError
from kontrast.scoring.engine import EngineOptions, Group, Target
from kontrast.scoring.engines import load_engine
from kontrast.scoring.engines.hf import engine_of

from .marian_files import write_npz
from .models import WIDTH, make

torch = pytest.importorskip("torch")
pytest.importorskip("transformers")

TEMPLATE = '{source}\n"{target}"\n'
GROUP = Group("She came.", (Target("Er kam."), Target("Sie kam."), Target("Es kam.")))
OPTIONS = EngineOptions(source_language="en", target_language="de", device="cpu", template=TEMPLATE)


def joining_tokenizer(*joined: str) -> Any:
    """Bytes, and some pairs of them that the text after a border may join with what stands before it."""
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers
    from transformers import PreTrainedTokenizerFast

    alphabet = sorted(pre_tokenizers.ByteLevel.alphabet())
    vocabulary = {token: place for place, token in enumerate(["<s>", "</s>", *alphabet])}
    merges = []
    for word in joined:
        for end in range(2, len(word) + 1):
            merges.append((word[: end - 1], word[end - 1]))
            vocabulary.setdefault(word[:end], len(vocabulary))
    made = Tokenizer(models.BPE(vocab=vocabulary, merges=list(dict.fromkeys(merges))))
    made.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False)
    made.decoder = decoders.ByteLevel()
    return PreTrainedTokenizerFast(tokenizer_object=made, bos_token="<s>", eos_token="</s>")


def language_model(tokenizer: Any) -> Any:
    import transformers as tf

    torch.manual_seed(5)
    config = tf.GPT2Config(
        vocab_size=len(tokenizer), n_positions=256, n_embd=32, n_layer=2, n_head=4, bos_token_id=0, eos_token_id=1
    )
    model = tf.GPT2LMHeadModel(config).eval()
    for parameter in model.parameters():
        if parameter.dim() > 1:
            parameter.data.mul_(4.0)
    return model


def cost(model: Any, ids: list[int]) -> float:
    """What a text costs after its first token."""
    with torch.inference_mode():
        rows = torch.log_softmax(model(input_ids=torch.tensor([ids])).logits[0], -1)
    return sum(float(rows[place, token]) for place, token in enumerate(ids[1:]))


@pytest.mark.parametrize("share", [True, False])
@pytest.mark.parametrize("joined", [('"Er',), ('"Er', "e.", '"Si'), ('Ċ"Er',), ()])
def test_a_target_costs_the_whole_less_its_opening(joined: tuple[str, ...], share: bool) -> None:
    tokenizer = joining_tokenizer(*joined)
    model = language_model(tokenizer)
    engine = engine_of(model, tokenizer, msgspec.structs.replace(OPTIONS, share=share), "m")
    engine.prepare([GROUP])
    rows = dict(engine.score([GROUP]))[0]
    opening = tokenizer('She came.\n"')["input_ids"]
    for target, row in zip(GROUP.targets, rows, strict=True):
        whole = tokenizer(f'She came.\n"{target.text}"\n')["input_ids"]
        assert sum(row.logprobs) == pytest.approx(cost(model, whole) - cost(model, opening), abs=1e-4)
    starts = {row.tokens[0] for row in rows}
    assert any(token.startswith(('"', "Ċ")) for token in starts) == bool(joined), "else nothing is joined here"


def test_a_prompt_without_a_token_of_its_own_is_refused() -> None:
    tokenizer = joining_tokenizer("aEr")
    engine = engine_of(
        language_model(tokenizer), tokenizer, msgspec.structs.replace(OPTIONS, template="{source}{target}"), "m"
    )
    with pytest.raises(KontrastError, match="nothing predicts the first token"):
        list(engine.score([Group("a", (Target("Er"), Target("Sie")))]))


def joining_t5() -> tuple[Any, Any]:
    """A T5 whose target tokens join a forced prefix with the text: there is no blank between them."""
    from tokenizers import processors
    from transformers import T5Config, T5ForConditionalGeneration

    tokenizer = joining_tokenizer(".Er")
    tokenizer.backend_tokenizer.post_processor = processors.TemplateProcessing(
        single="$A </s>", special_tokens=[("</s>", 1)]
    )
    torch.manual_seed(9)
    shape = {"d_kv": 8, "d_ff": 64, "num_layers": 2, "num_heads": 4, **WIDTH}
    config = T5Config(vocab_size=len(tokenizer), decoder_start_token_id=0, pad_token_id=0, eos_token_id=1, **shape)
    model = T5ForConditionalGeneration(config).eval()
    for parameter in model.parameters():
        if parameter.dim() > 1:
            parameter.data.mul_(2.0)
    return model, tokenizer


def test_a_forced_prefix_is_an_opening_too() -> None:
    model, tokenizer = joining_t5()
    targets = tuple(Target(text, prefix="Die Katze.") for text in ("Er kam", "Sie kam"))
    engine = engine_of(model, tokenizer, msgspec.structs.replace(OPTIONS, template=None), "t5")
    rows = dict(engine.score([Group("She came.", targets)]))[0]
    source = torch.tensor([tokenizer("She came.")["input_ids"]])

    def total(labels: list[int]) -> float:
        with torch.inference_mode():
            given = torch.tensor([[0, *labels[:-1]]])
            logits = torch.log_softmax(model(input_ids=source, decoder_input_ids=given).logits[0], -1)
        return sum(float(logits[place, token]) for place, token in enumerate(labels))

    opening = total(tokenizer("Die Katze.", add_special_tokens=False)["input_ids"])
    for target, row in zip(targets, rows, strict=True):
        whole = total(tokenizer(target.prefix + target.text)["input_ids"])
        assert sum(row.logprobs) == pytest.approx(whole - opening, abs=1e-4)
    assert rows[0].tokens[0] == ".Er" and rows[1].tokens[0] == "S"


JOINED = tuple(Target(text, prefix="Die Kat") for text in ("ze war müde.", "er war müde.", " war müde."))


@pytest.mark.parametrize("route", ["spm", "tokenizer"])
def test_ct2_takes_the_prefix_off_a_piece_that_joins_it_with_the_text(tmp_path: Path, route: str) -> None:
    converters = pytest.importorskip("ctranslate2.converters")
    folder, out = make("marian", tmp_path / "hf"), tmp_path / "ct2"
    converters.TransformersConverter(str(folder)).convert(str(out))
    both = ",".join(str(folder / name) for name in ("source.spm", "target.spm"))
    options = EngineOptions(source_language="en", target_language="de", device="cpu", threads=1)
    extra = {"spm": both} if route == "spm" else {"tokenizer": str(folder)}
    engine: Any = load_engine(f"ct2:{out}", msgspec.structs.replace(options, extra=extra))
    rows = dict(engine.score([Group("She came.", JOINED)]))[0]

    def total(text: str, *, end: bool) -> float:
        source = [*engine.cut("She came."), *([] if route == "tokenizer" else ["</s>"])]
        pieces = [piece for piece in engine.cut(text, "target") if piece != "</s>"]
        [result] = engine.translator.score_batch([source], [pieces])
        return sum(result.log_probs if end else result.log_probs[:-1])

    for target, row in zip(JOINED, rows, strict=True):
        whole = total(target.prefix + target.text, end=True)
        assert sum(row.logprobs) == pytest.approx(whole - total("Die Kat", end=False), abs=1e-3)
    assert [row.tokens[0] for row in rows] == ["a", "er", "▁w"], "the first joins, the others do not"


def test_marian_takes_it_off_too(tmp_path: Path) -> None:
    pytest.importorskip("_pymarian")
    write_npz(make("marian-multi", tmp_path / "hf"), tmp_path / "marian")
    options = EngineOptions(device="cpu", threads=1, template=">>de<< {source}")
    engine: Any = load_engine(f"marian:{tmp_path / 'marian' / 'model.npz'}", options)
    rows = dict(engine.score([Group("She came.", JOINED)]))[0]
    alone = (Target("Die Kat"), *(Target(target.prefix + target.text) for target in JOINED))
    opening, *whole = (row.logprobs for row in dict(engine.score([Group("She came.", alone)]))[0])
    for row, values in zip(rows, whole, strict=True):
        assert sum(row.logprobs) == pytest.approx(sum(values) - sum(opening[:-1]), abs=1e-3)
    assert [row.tokens[0] for row in rows] == ["a", "er", "▁w"]
