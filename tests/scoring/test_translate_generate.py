"""Translations of `hf` models are those of Transformers' own generate, sentence by sentence."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import kontrast
from kontrast import Item, Suite, Variant
from kontrast.scoring.engine import EngineOptions
from kontrast.scoring.translator import Decoding

from .models import make

torch = pytest.importorskip("torch")
transformers = pytest.importorskip("transformers")

STARTS = ("The cat", "A new lamp", "The bridge", "Did you see it? The mat")
ENDS = (
    "sat on the mat.",
    "was built last year, but it does not work.",
    "was tired.",
    "I bought it because it was new.",
)
SOURCES = [f"{start} {end}" for start in STARTS for end in ENDS]
LENGTH = 24
LANGUAGES = {"m2m100": ("en", "de"), "nllb": ("eng_Latn", "deu_Latn"), "mbart50": ("en_XX", "de_DE")}


def suite(sources: list[str] = SOURCES) -> Suite:
    made = [Item(str(n), text, (Variant("a"), Variant("b"))) for n, text in enumerate(sources)]
    return Suite("sentences", tuple(made), "en", "de")


def varied(name: str, folder: Path) -> tuple[Any, Any]:
    """A model that writes something else for every source, and ends now and then; and its tokenizer.

    With tied embeddings random models repeat what they read: the output layer is another one.
    """
    make(name, folder)
    config = transformers.AutoConfig.from_pretrained(folder)
    kind = transformers.AutoModelForSeq2SeqLM if config.is_encoder_decoder else transformers.AutoModelForCausalLM
    model = kind.from_pretrained(folder, dtype="float32").eval()
    tokenizer = transformers.AutoTokenizer.from_pretrained(folder)
    torch.manual_seed(3)
    size, width = model.lm_head.weight.shape
    model.lm_head = torch.nn.Linear(width, size, bias=False)
    model.lm_head.weight.data.normal_()
    model.lm_head.weight.data[config.eos_token_id] *= 2
    model.lm_head.weight.data[len(tokenizer) :] = 0
    if name == "mbart50":  # as the published models have it
        model.generation_config.decoder_start_token_id = tokenizer.eos_token_id
    for place, parameter in model.named_parameters():
        if "encoder_attn" in place and parameter.dim() > 1:
            parameter.data.mul_(3)
    return model, tokenizer


def engine(model: Any, tokenizer: Any, **options: Any) -> Any:
    from kontrast.scoring.engines.hf import engine_of

    given = {"source_language": "en", "target_language": "de", "device": "cpu", **options}
    return engine_of(model, tokenizer, EngineOptions(**given), "made")


def plain(model: Any, tokenizer: Any, name: str, beams: int, sources: list[str]) -> list[str]:
    """One sentence at a time, as the documentation of Transformers shows it."""
    extra: dict[str, Any] = {}
    if name in LANGUAGES:
        tokenizer.src_lang, tokenizer.tgt_lang = LANGUAGES[name]
        extra["forced_bos_token_id"] = tokenizer.convert_tokens_to_ids(
            tokenizer.get_lang_token("de") if name == "m2m100" else LANGUAGES[name][1]
        )
    found = []
    for source in sources:
        given = tokenizer([source], return_tensors="pt")
        room = LENGTH + (1 if extra else 0)
        with torch.inference_mode():
            [row] = model.generate(**given, **extra, num_beams=beams, do_sample=False, max_new_tokens=room)
        row = row if model.config.is_encoder_decoder else row[given["input_ids"].shape[1] :]
        text = tokenizer.decode(row, skip_special_tokens=True).removeprefix("__de__")
        found.append(" ".join(text.split()))
    return found


@pytest.mark.parametrize("name", ["marian", "m2m100", "mbart50", "t5"])
def test_encoder_decoder_equals_generate(name: str, tmp_path: Path) -> None:
    model, tokenizer = varied(name, tmp_path / name)
    for beams in (1, 4):
        expected = plain(model, tokenizer, name, beams, SOURCES)
        made = kontrast.translate(suite(), engine(model, tokenizer), beams=beams, max_length=LENGTH)
        same = sum(a == b for a, b in zip(made.texts, expected, strict=True))
        assert same == len(expected) if beams == 1 else same >= 0.9 * len(expected)
        assert len(set(made.texts)) > 3 and {len(text.split()) for text in made.texts} != {1}


def test_decoder_only_equals_generate(tmp_path: Path) -> None:
    model, tokenizer = varied("llama", tmp_path / "llama")
    expected = plain(model, tokenizer, "llama", 1, [f"{source} =" for source in SOURCES])
    made = kontrast.translate(
        suite(), engine(model, tokenizer, template="{source} = "), max_length=LENGTH, clean=False
    )
    assert list(made.texts) == expected and len(set(made.texts)) > 3


SETTINGS: list[dict[str, Any]] = [
    {"early_stopping": True},
    {"early_stopping": "never", "length_penalty": 1.5},
    {"length_penalty": 0.0},
    {"length_penalty": -1.0},
    {"no_repeat_ngram_size": 2, "repetition_penalty": 1.3},
    {"min_length": 8, "bad_words_ids": [[5], [6, 7]]},
    {"encoder_no_repeat_ngram_size": 3},
]


@pytest.mark.parametrize(
    ("name", "settings"),
    [(name, each) for name in ("marian", "llama") for each in (SETTINGS if name == "marian" else SETTINGS[:-1])],
)
def test_the_models_own_settings_of_the_search(
    name: str, settings: dict[str, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Stopping, penalties and forbidden words are those of the model's generation configuration, as in generate."""
    from kontrast.scoring.engines.transformer import beam_search

    ours: list[int] = []
    for loop in ("_beams", "_greedy"):
        inner = getattr(beam_search, loop)
        monkeypatch.setattr(beam_search, loop, lambda *given, inner=inner: (ours.append(1), inner(*given))[1])
    model, tokenizer = varied(name, tmp_path / name)
    for key, value in settings.items():
        setattr(model.generation_config, key, value)
    asked = {"template": "{source} = "} if name == "llama" else {}
    shown = [f"{source} =" for source in SOURCES] if name == "llama" else SOURCES
    for beams in (1, 4):
        expected = plain(model, tokenizer, name, beams, shown[::3])
        loaded = engine(model, tokenizer, **asked)
        made = kontrast.translate(suite(SOURCES[::3]), loaded, beams=beams, max_length=LENGTH, clean=False)
        assert list(made.texts) == expected
    by_source = "encoder_no_repeat_ngram_size" in settings
    assert bool(ours) != by_source, "what depends on other rows is left to Transformers' own search"


def test_sampling_follows_its_seed(tmp_path: Path) -> None:
    model, tokenizer = varied("marian", tmp_path / "marian")

    def sampled(seed: int) -> tuple[str, ...]:
        made = kontrast.translate(suite(), engine(model, tokenizer), seed=seed, temperature=1.0, max_length=12)
        return made.texts

    assert sampled(1) == sampled(1) != sampled(2)


def test_a_translation_that_was_cut_off_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    model, tokenizer = varied("marian", tmp_path / "marian")
    made = kontrast.translate(suite()[:3], engine(model, tokenizer), max_length=2, beams=1)
    assert made.cut and f"{len(made.cut)} translations were cut off" in capsys.readouterr().err


def test_a_stopped_run_gives_the_same_file(tmp_path: Path) -> None:
    """Any rows of the store may be missing: what is left is cut into the same batches."""
    asked: dict[str, Any] = {"beams": 4, "max_length": 30, "device": "cpu", "batch_tokens": 64, "threads": 1}
    part = kontrast.load("demo:fr")[:30]
    store = kontrast.Store(tmp_path / "s.sqlite")
    whole = kontrast.translate(part, "tiny", store=store, **asked)
    keys = [key for (key,) in store.connection.execute("SELECT key FROM scores ORDER BY key")]
    lost = [(key,) for n, key in enumerate(keys) if n % 3]
    store.connection.executemany("DELETE FROM scores WHERE key = ?", lost)
    assert kontrast.translate(part, "tiny", store=store, **asked) == whole
    store.close()


def test_the_search_is_in_the_fingerprint() -> None:
    from kontrast.scoring.engine import Identity
    from kontrast.scoring.translator import with_decoding

    changes: list[dict[str, Any]] = [
        {},
        *({"beams": n} for n in (1, 2)),
        *({"max_length": 7}, {"length_penalty": 0.5}, {"repetition_penalty": 1.1}),
        *({"temperature": 0.5}, {"temperature": 0.5, "seed": 2}, {"temperature": 0.5, "top_p": 0.9}),
        {"temperature": 0.5, "top_k": 3},
    ]
    prints = {with_decoding(Identity("x"), Decoding(**change), 4).fingerprint for change in changes}
    assert len(prints) == len(changes) and "x" not in prints


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"repetition_penalty": 0.0}, "--repetition-penalty 0: expected a number above 0"),
        ({"repetition_penalty": float("inf")}, "--repetition-penalty inf: expected a number above 0"),
        ({"length_penalty": float("nan")}, "--length-penalty nan: expected a finite number"),
    ],
)
def test_a_search_that_no_model_can_do_is_refused(wrong: dict[str, float], said: str) -> None:
    with pytest.raises(kontrast.KontrastError, match=said):
        Decoding(**wrong).check()  # type: ignore[arg-type]
