"""Models and sets for scoring.py: random weights of a real size, a vocabulary learnt from real text, real rows."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

from kontrast.scoring.context import parse_context
from kontrast.scoring.engine import Group
from kontrast.scoring.plan import make_plan
from kontrast.scoring.schemes import load_scheme
from kontrast.suites.formats import load
from kontrast.suites.model import Item, Suite, Variant

ROOT = Path(__file__).resolve().parents[1]
DATA = ROOT.parent / "shared" / "data"
OUT = ROOT / "bench-out" / "scoring"
VOCABULARY = 32_000


def pronouns(items: int, context: str = "none") -> list[Group]:
    """EN-FR rows, one foil each, spread over the whole set."""
    suite = load(DATA / "large-contrastive-en-fr")
    step = len(suite.items) // items
    chosen = tuple(item for item in suite.items[::step] if context == "none" or item.source_context)[:items]
    asked = parse_context(context, scheme=load_scheme("sep"), scheme_name="sep")
    return make_plan(Suite("en-fr", chosen), asked).groups


def four_foils(items: int) -> list[Group]:
    """As LingEval97: a reference, its own foil, and three more with one word changed anywhere in the sentence."""
    rng = random.Random(97)
    suite = load(DATA / "distil-lingeval-en-de")
    pool = [item for item in suite.items if 8 <= len(item.best.text.split()) <= 60]
    words = sorted({word for item in pool[:3000] for word in item.best.text.split() if word.isalpha()})
    chosen = []
    for item in rng.sample(pool, items):
        foils = [variant for k, variant in enumerate(item.variants) if k != item.correct][:1]
        while len(foils) < 4:
            changed = item.best.text.split()
            changed[rng.randrange(len(changed))] = rng.choice(words)
            foils.append(Variant(" ".join(changed), error="word"))
        chosen.append(Item(item.id, item.source, (item.best, *foils)))
    return make_plan(Suite("foils", tuple(chosen))).groups


def vocabulary() -> Path:
    """A SentencePiece model of the size of a real one, from all the shared English, French and German text."""
    import sentencepiece

    path = OUT / "shared.spm"
    if not path.exists():
        OUT.mkdir(parents=True, exist_ok=True)
        names = [DATA / "large-contrastive-en-fr" / f"OpenSubs.c3.context.{side}" for side in ("src", "trg")]
        names += sorted((DATA / "distil-lingeval-en-de").glob("*/src.en"))
        names += sorted((DATA / "distil-lingeval-en-de").glob("*/tgt.correct.de"))
        lines = sorted({line for name in names for line in name.read_text().splitlines() if line.strip()})
        with open(path, "wb") as out:
            sentencepiece.SentencePieceTrainer.train(
                sentence_iterator=iter(random.Random(1).sample(lines, min(len(lines), 80_000))),
                model_writer=out,
                model_type="bpe",
                vocab_size=VOCABULARY - 2,
                user_defined_symbols=["<SEP>"],
                hard_vocab_limit=False,
                minloglevel=2,
            )
    return path


def marian() -> Path:
    """Marian 6+6, width 512, vocabulary 32k, random weights, as a Transformers folder."""
    import sentencepiece
    import torch
    from transformers import MarianConfig, MarianMTModel, MarianTokenizer

    folder = OUT / "marian"
    if (folder / "config.json").exists():
        return folder
    spm = vocabulary()
    processor = sentencepiece.SentencePieceProcessor(model_file=str(spm))
    learnt = [processor.id_to_piece(i) for i in range(processor.get_piece_size())]
    pieces = ["</s>", "<unk>", *[piece for piece in learnt if piece not in ("<s>", "</s>", "<unk>")]]
    pieces += [f"<unused{i}>" for i in range(VOCABULARY - 1 - len(pieces))] + ["<pad>"]
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "vocab.json").write_text(json.dumps({piece: i for i, piece in enumerate(pieces)}))
    for name in ("source.spm", "target.spm"):
        (folder / name).write_bytes(spm.read_bytes())
    files = [str(folder / name) for name in ("source.spm", "target.spm", "vocab.json")]
    MarianTokenizer(*files).save_pretrained(folder)
    torch.manual_seed(1)
    config = MarianConfig(
        vocab_size=VOCABULARY,
        d_model=512,
        encoder_layers=6,
        decoder_layers=6,
        encoder_attention_heads=8,
        decoder_attention_heads=8,
        encoder_ffn_dim=2048,
        decoder_ffn_dim=2048,
        max_position_embeddings=512,
        pad_token_id=VOCABULARY - 1,
        decoder_start_token_id=VOCABULARY - 1,
        eos_token_id=0,
        forced_eos_token_id=0,
        activation_function="swish",
        scale_embedding=True,
    )
    MarianMTModel(config).save_pretrained(folder)
    return folder


def ct2(folder: Path) -> Path:
    """The same model for CTranslate2, in single precision."""
    from ctranslate2.converters import TransformersConverter

    out = OUT / "ct2"
    if not (out / "model.bin").exists():
        TransformersConverter(str(folder)).convert(str(out), force=True)
    return out


def language_model() -> tuple[Any, Any]:
    """A decoder-only model of 110 M parameters with random weights, and its tokenizer."""
    import torch
    from tokenizers import Tokenizer, models, pre_tokenizers, trainers
    from transformers import LlamaConfig, LlamaForCausalLM, PreTrainedTokenizerFast

    path = OUT / "bpe.json"
    if not path.exists():
        OUT.mkdir(parents=True, exist_ok=True)
        tokenizer = Tokenizer(models.BPE())
        tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
        trainer = trainers.BpeTrainer(vocab_size=VOCABULARY, special_tokens=["<s>", "</s>"], show_progress=False)
        names = [DATA / "large-contrastive-en-fr" / f"OpenSubs.c3.context.{side}" for side in ("src", "trg")]
        names += sorted((DATA / "distil-lingeval-en-de").glob("*/*.*"))
        tokenizer.train([str(name) for name in names], trainer)
        tokenizer.save(str(path))
    tokenizer = PreTrainedTokenizerFast(tokenizer_file=str(path), bos_token="<s>", eos_token="</s>")
    torch.manual_seed(1)
    config = LlamaConfig(
        vocab_size=VOCABULARY,
        hidden_size=768,
        intermediate_size=2048,
        num_hidden_layers=12,
        num_attention_heads=12,
        num_key_value_heads=12,
        max_position_embeddings=1024,
        tie_word_embeddings=True,
        bos_token_id=0,
        eos_token_id=1,
    )
    return LlamaForCausalLM(config).eval(), tokenizer
