"""Masked language models: pseudo-log-likelihoods as a plain loop gives them, and what cannot be scored so."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("torch")
pytest.importorskip("transformers")

from kontrast import Item, Suite, Variant, score
from kontrast.errors import KontrastError
from kontrast.scoring.engine import EngineOptions, Group, Target
from kontrast.scoring.engines import load_engine

from .models import make

TEXT = ["Die Katze schläft unter dem Tisch.", "Der Hund frisst.", "Sie war müde und er auch."]


@pytest.fixture(scope="module", params=["bert", "roberta"])
def place(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A small model with random weights and pieces of words."""
    import torch
    import transformers
    from tokenizers import Tokenizer, models, pre_tokenizers, processors, trainers

    folder = tmp_path_factory.mktemp(request.param)
    made = Tokenizer(models.WordPiece(unk_token="[UNK]"))
    made.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    special = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
    made.train_from_iterator(TEXT, trainers.WordPieceTrainer(vocab_size=60, special_tokens=special))
    made.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [SEP]", special_tokens=[("[CLS]", 2), ("[SEP]", 3)]
    )
    names = dict(zip(("pad_token", "unk_token", "cls_token", "sep_token", "mask_token"), special, strict=True))
    transformers.PreTrainedTokenizerFast(tokenizer_object=made, **names).save_pretrained(folder)
    sizes = {"hidden_size": 32, "num_hidden_layers": 2, "num_attention_heads": 4, "intermediate_size": 64}
    torch.manual_seed(3)
    kind = "Bert" if request.param == "bert" else "Roberta"
    config = getattr(transformers, f"{kind}Config")(
        vocab_size=made.get_vocab_size(), max_position_embeddings=48, pad_token_id=0, **sizes
    )
    model = getattr(transformers, f"{kind}ForMaskedLM")(config)
    for weight in model.parameters():
        weight.data.mul_(3.0) if weight.dim() > 1 else None
    model.save_pretrained(folder)
    return folder


def plain(place: Path, prefix: str, text: str, way: str) -> list[float]:
    """One masked copy at a time."""
    import torch
    import transformers

    tokenizer = transformers.AutoTokenizer.from_pretrained(place)
    model = transformers.AutoModelForMaskedLM.from_pretrained(place).eval()
    cut = tokenizer(prefix + text)
    ids, words = cut["input_ids"], cut.word_ids()
    before = len(tokenizer(prefix)["input_ids"]) - 2 if prefix else 0
    found = []
    with torch.inference_mode():
        for place_ in range(1 + before, len(ids) - 1):
            copy = list(ids)
            copy[place_] = tokenizer.mask_token_id
            for later in range(place_ + 1, len(ids) - 1):
                if way == "word" and words[later] == words[place_]:
                    copy[later] = tokenizer.mask_token_id
            row = torch.log_softmax(model(input_ids=torch.tensor([copy])).logits[0, place_], -1)
            found.append(float(row[ids[place_]]))
    return found


@pytest.mark.parametrize("way", ["word", "token"])
def test_numbers_of_a_plain_loop(place: Path, way: str) -> None:
    engine: Any = load_engine(f"hf:{place}", EngineOptions(extra={"masked": way}, batch_tokens=24, device="cpu"))
    targets = (Target(TEXT[0]), Target(TEXT[1], "Sie war müde. "), Target("Die Katze frisst."))
    [(_, rows)] = list(engine.score([Group("It sleeps.", targets)]))
    for target, row in zip(targets, rows, strict=True):
        assert row.logprobs == pytest.approx(plain(place, target.prefix, target.text, way), abs=1e-5)
        assert len(row.tokens) == len(row.logprobs)


def test_both_ways_differ_and_are_signed(place: Path) -> None:
    suite = Suite("s", (Item("1", "x", (Variant(TEXT[0]), Variant(TEXT[2]))),), "en", "de")
    word, token = (score(suite, f"hf:{place}", extra={"masked": way}) for way in ("word", "token"))
    assert word.values != token.values
    for made, way in ((word, "word"), (token, "token")):
        assert made.signature is not None
        details = made.signature.details
        assert (details["masked"], details["reads"]) == (way, "target")
    assert word.signature is not None and token.signature is not None
    assert word.signature.details["weights"] != token.signature.details["weights"]


def test_what_cannot_be_scored_so(place: Path, tmp_path: Path) -> None:
    suite = Suite("s", (Item("1", "x", (Variant("Katze " * 60), Variant(TEXT[2]))),), "en", "de")
    with pytest.raises(KontrastError, match="1 of 1 targets are longer"):
        score(suite, f"hf:{place}", extra={"masked": "token"})
    with pytest.raises(KontrastError, match="expected word or token"):
        load_engine(f"hf:{place}", EngineOptions(extra={"masked": "yes"}))
    with pytest.raises(KontrastError, match="reads only the target"):
        load_engine(f"hf:{place}", EngineOptions(extra={"masked": "word"}, template="{source}"))
    llama = make("llama", tmp_path / "llama")
    with pytest.raises(KontrastError, match="cannot be loaded"):
        load_engine(f"hf:{llama}", EngineOptions(extra={"masked": "word"}))
