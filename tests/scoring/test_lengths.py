"""What is longer than a model takes is refused by every engine, on both sides; what just fits is scored."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from kontrast import Item, Suite, Variant, score
from kontrast.errors import KontrastError
from kontrast.scoring.engine import EngineOptions, Group, Target
from kontrast.scoring.engines import load_engine
from kontrast.scoring.engines.hf import engine_of
from kontrast.scoring.translator import Decoding

from .marian_files import write_npz
from .models import make, pieces

tf = pytest.importorskip("transformers")

POSITIONS = 40
BART = {
    "d_model": 16,
    "encoder_layers": 1,
    "decoder_layers": 1,
    "encoder_attention_heads": 2,
    "decoder_attention_heads": 2,
    "encoder_ffn_dim": 32,
    "decoder_ffn_dim": 32,
    "max_position_embeddings": POSITIONS,
}
PROPHET = {
    "hidden_size": 16,
    "num_encoder_layers": 1,
    "num_decoder_layers": 1,
    "num_encoder_attention_heads": 2,
    "num_decoder_attention_heads": 2,
    "encoder_ffn_dim": 32,
    "decoder_ffn_dim": 32,
    "max_position_embeddings": POSITIONS,
}
LED = {key: value for key, value in BART.items() if key != "max_position_embeddings"}
LED |= {"max_encoder_position_embeddings": POSITIONS, "max_decoder_position_embeddings": POSITIONS - 8}
KINDS: dict[str, tuple[str, str, dict[str, Any]]] = {
    "plbart": ("PLBartConfig", "PLBartForConditionalGeneration", BART),
    "pegasus": ("PegasusConfig", "PegasusForConditionalGeneration", BART),
    "blenderbot": ("BlenderbotConfig", "BlenderbotForConditionalGeneration", BART),
    "blenderbot-small": ("BlenderbotSmallConfig", "BlenderbotSmallForConditionalGeneration", BART),
    "mvp": ("MvpConfig", "MvpForConditionalGeneration", BART),
    "bart": ("BartConfig", "BartForConditionalGeneration", BART),
    "led": ("LEDConfig", "LEDForConditionalGeneration", {**LED, "attention_window": 4}),
    "prophetnet": ("ProphetNetConfig", "ProphetNetForConditionalGeneration", PROPHET),
}


def word_tokenizer() -> Any:
    """A token per word, and the end token."""
    from tokenizers import Tokenizer, models, pre_tokenizers, processors

    vocabulary = {word: i for i, word in enumerate(["<s>", "<pad>", "</s>", "<unk>", "a", "b", "c"])}
    tokenizer = Tokenizer(models.WordLevel(vocabulary, unk_token="<unk>"))
    tokenizer.pre_tokenizer = pre_tokenizers.WhitespaceSplit()
    tokenizer.post_processor = processors.TemplateProcessing(single="$A </s>", special_tokens=[("</s>", 2)])
    return tf.PreTrainedTokenizerFast(
        tokenizer_object=tokenizer, bos_token="<s>", pad_token="<pad>", eos_token="</s>", unk_token="<unk>"
    )


def words(count: int) -> str:
    return " ".join("abc"[n % 3] for n in range(count))


def built(kind: str) -> Any:
    import torch

    config, model, shape = KINDS[kind]
    torch.manual_seed(1)
    ids = {"pad_token_id": 1, "bos_token_id": 0, "eos_token_id": 2, "decoder_start_token_id": 2, "vocab_size": 7}
    network = getattr(tf, model)(getattr(tf, config)(**ids, **shape))
    options = EngineOptions(source_language="en", target_language="de", device="cpu")
    return engine_of(network, word_tokenizer(), options, kind)


@pytest.mark.parametrize("kind", KINDS)
def test_encoder_decoders(kind: str) -> None:
    engine = built(kind)
    limits = engine.limits
    assert (limits.source, limits.target) == {
        "led": (POSITIONS, POSITIONS - 8),
        "prophetnet": (POSITIONS - 2, POSITIONS - 3),
    }.get(kind, (POSITIONS, POSITIONS))
    short = Group("a b", (Target("a c"), Target("c")))
    full = Group(words(limits.source - 1), (Target(words(limits.target - 1)), Target("a")))
    engine.prepare([short, full])
    assert len(dict(engine.score([short, full]))) == 2, "what just fits is scored"
    long = Group(words(limits.source), (Target("a"), Target("b")))
    said = f"1 of 3 sources are longer than the model's {limits.source} tokens.*the longest has {limits.source + 1} "
    with pytest.raises(KontrastError, match=said):
        engine.prepare([short, full, long])
    with pytest.raises(KontrastError, match="1 of 2 sources are longer"):
        list(engine.translate([Group("a", (Target(""),)), Group(words(limits.source), (Target(""),))], Decoding()))
    wide = Group("a b", (Target("a"), Target(words(limits.target))))
    with pytest.raises(KontrastError, match=r"1 of 2 targets are longer .* the longest has"):
        engine.prepare([short, wide])
    if kind not in ("led", "prophetnet"):  # whose own generation is not what is tested here
        [(_, made)] = engine.translate([Group(words(limits.source - 1), (Target(""),))], Decoding(max_length=500))
        assert len(made.pieces) < limits.target


@pytest.fixture(scope="module")
def converted(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    converters = pytest.importorskip("ctranslate2.converters")
    folder, out = make("marian", tmp_path_factory.mktemp("marian")), tmp_path_factory.mktemp("ct2") / "model"
    converters.TransformersConverter(str(folder), copy_files=["source.spm", "target.spm"]).convert(str(out))
    return folder, out


def suite(*sources: str, target: str = "Die Katze") -> Suite:
    return Suite(
        "s", tuple(Item(str(n), s, (Variant(target), Variant("Katze"))) for n, s in enumerate(sources)), "en", "de"
    )


def test_ct2_and_hf_refuse_the_same(converted: tuple[Path, Path]) -> None:
    assert pieces()
    for model in (f"hf:{converted[0]}", f"ct2:{converted[1]}"):
        with pytest.raises(KontrastError, match="1 of 2 sources are longer than the model's 256 tokens"):
            score(suite("The cat", "a " * 300), model, device="cpu")
        with pytest.raises(KontrastError, match=r"2 of (2|4) targets are longer than the model's 256 tokens"):
            score(suite("The cat", "The lamp", target="a " * 300), model, device="cpu")
        engine: Any = load_engine(model, EngineOptions(source_language="en", target_language="de", device="cpu"))
        with pytest.raises(KontrastError, match="1 of 1 sources are longer"):
            list(engine.translate([Group("a " * 300, (Target(""),))], Decoding()))
        [(_, made)] = engine.translate([Group("The cat", (Target(""),))], Decoding(max_length=2000, beams=1))
        assert len(made.pieces) <= 256 and (made.cut or len(made.pieces) < 255)


def test_ct2_cuts_no_source(tmp_path: Path) -> None:
    """Positions are computed: what stands behind the thousandth piece counts."""
    converters = pytest.importorskip("ctranslate2.converters")
    folder = make("t5", tmp_path / "t5")
    converters.TransformersConverter(str(folder)).convert(str(tmp_path / "out"))
    options = {"device": "cpu", "extra": {"tokenizer": str(folder)}}
    before = "a b " * 700
    found = score(suite(before + "The cat", before + "The lamp"), f"ct2:{tmp_path / 'out'}", **options)
    assert found.values[0] != found.values[2]
    assert found.values == pytest.approx(
        score(suite(before + "The cat", before + "The lamp"), f"hf:{folder}").values, abs=1e-2
    )


def test_marian_refuses_what_it_would_leave_out_or_cut(tmp_path: Path) -> None:
    """Marian leaves out what is above its --max-length, or cuts it with --max-length-crop."""
    pytest.importorskip("_pymarian")
    write_npz(make("marian-multi", tmp_path / "hf"), tmp_path / "marian")
    model = f"marian:{tmp_path / 'marian' / 'model.npz'}"
    given = {"device": "cpu", "threads": 1, "template": ">>de<< {source}"}
    limited = EngineOptions(extra={"args": "--max-length 20"}, **given)
    with pytest.raises(KontrastError, match=r"1 of 2 sources are longer .* 20 tokens.*the longest has 22 "):
        score(suite("The cat", "a " * 20), model, options=limited)
    with pytest.raises(KontrastError, match="2 of 2 targets are longer than the model's 20 tokens"):
        score(suite("The cat", "The lamp", target="a " * 20), model, options=limited)
    with pytest.raises(KontrastError, match="--max-length-crop cuts texts"):
        load_engine(model, EngineOptions(extra={"args": "--max-length 20 --max-length-crop"}, **given))
    with pytest.raises(KontrastError, match="expected a number after --max-length"):
        load_engine(model, EngineOptions(extra={"args": "--max-length"}, **given))
    engine: Any = load_engine(model, limited)
    with pytest.raises(KontrastError, match="1 of 1 sources are longer"):
        list(engine.translate([Group("a " * 20, (Target(""),))], Decoding()))
    long: Any = load_engine(model, EngineOptions(**given))  # its decoder alone would take a thousand pieces
    [(_, made)] = long.translate([Group("a " * 1010, (Target(""),))], Decoding(beams=1))
    rows = [Group("a b " * 600 + word, (Target("Die Katze"),)) for word in ("cat", "lamp")]
    long.prepare(rows)
    [one, other] = [row[0].logprobs for _, row in sorted(long.score(rows))]
    assert one != other and made.pieces
