"""Small models of real architectures with random weights and real tokenizers, made on the spot."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

TEXT = [
    "The cat sat on the mat because it was tired.",
    "Did you see the bridge? It was built last year.",
    "I bought a new lamp, but it does not work.",
    "Die Katze saß auf der Matte, weil sie müde war.",
    "Hast du die Brücke gesehen? Sie wurde letztes Jahr gebaut.",
    "Ich habe eine neue Lampe gekauft, aber sie funktioniert nicht.",
    "Le chat était fatigué. Il a dormi sur le tapis.",
    "La lampe est neuve, mais elle ne marche pas.",
]
WIDTH = {"d_model": 32}
BART = {
    "encoder_layers": 2,
    "decoder_layers": 2,
    "encoder_attention_heads": 4,
    "decoder_attention_heads": 4,
    "encoder_ffn_dim": 64,
    "decoder_ffn_dim": 64,
    "max_position_embeddings": 256,
    **WIDTH,
}
LLAMA = {
    "hidden_size": 32,
    "intermediate_size": 64,
    "num_hidden_layers": 2,
    "num_attention_heads": 4,
    "num_key_value_heads": 2,
    "max_position_embeddings": 4096,
}
ENCODER_DECODERS = ("marian", "marian-multi", "m2m100", "nllb", "mbart", "mbart50", "t5", "mt5", "fsmt")
DECODER_ONLY = ("llama", "qwen", "gemma", "gpt2")


@cache
def pieces(kind: str = "unigram") -> tuple[list[tuple[str, float]], bytes]:
    """A SentencePiece model of the text above: its pieces with scores, and its bytes."""
    import io

    import sentencepiece as spm

    out = io.BytesIO()
    spm.SentencePieceTrainer.train(
        sentence_iterator=iter(TEXT * 3),
        model_writer=out,
        vocab_size=110,
        model_type=kind,
        minloglevel=2,
        user_defined_symbols=["<SEP>"],
    )
    processor = spm.SentencePieceProcessor(model_proto=out.getvalue())
    size = processor.get_piece_size()
    return [(processor.id_to_piece(i), processor.get_score(i)) for i in range(size)], out.getvalue()


def make(name: str, folder: Path) -> Path:
    """Save a model of this architecture and its tokenizer into the folder."""
    import torch

    torch.manual_seed(7)
    tokenizer = _TOKENIZERS[name](folder)
    model = _model(name, tokenizer)
    for parameter in model.parameters():  # fresh models are nearly uniform: make differences large enough to see
        if parameter.dim() > 1:
            parameter.data.mul_(3.0)
    if hasattr(model, "final_logits_bias"):
        model.final_logits_bias = torch.randn_like(model.final_logits_bias)
    tokenizer.save_pretrained(folder)
    model.save_pretrained(folder)
    return folder


def _spm_files(folder: Path, marks: tuple[str, ...] = ()) -> Path:
    entries, data = pieces()
    folder.mkdir(parents=True, exist_ok=True)
    for name in ("source.spm", "target.spm", "m2m.spm"):
        (folder / name).write_bytes(data)
    vocabulary = ["</s>", "<unk>", *[p for p, _ in entries if p not in ("<s>", "</s>", "<unk>")], *marks, "<pad>"]
    (folder / "vocab.json").write_text(json.dumps({piece: i for i, piece in enumerate(vocabulary)}))
    ordered = ["<s>", "<pad>", "</s>", "<unk>", *[p for p, _ in entries if p not in ("<s>", "</s>", "<unk>")]]
    (folder / "m2m.json").write_text(json.dumps({piece: i for i, piece in enumerate(ordered)}))
    return folder


def _marian(folder: Path, marks: tuple[str, ...] = ()) -> Any:
    from transformers import MarianTokenizer

    _spm_files(folder, marks)
    return MarianTokenizer(str(folder / "source.spm"), str(folder / "target.spm"), str(folder / "vocab.json"))


def _m2m100(folder: Path) -> Any:
    from transformers import M2M100Tokenizer

    _spm_files(folder)
    return M2M100Tokenizer(str(folder / "m2m.json"), str(folder / "m2m.spm"), src_lang="en", tgt_lang="de")


def _fairseq_vocab() -> list[tuple[str, float]]:
    entries, _ = pieces()
    rest = [(p, s) for p, s in entries if p not in ("<s>", "</s>", "<unk>")]
    return [("<s>", 0.0), ("<pad>", 0.0), ("</s>", 0.0), ("<unk>", 0.0), *rest]


def _bpe() -> tuple[dict[str, int], list[tuple[str, str]]]:
    """Byte-pair encoding learnt from the text, with SentencePiece's word mark."""
    from tokenizers import Tokenizer, models, pre_tokenizers, trainers

    tokenizer = Tokenizer(models.BPE(unk_token="<unk>"))
    tokenizer.pre_tokenizer = pre_tokenizers.Metaspace()
    trainer = trainers.BpeTrainer(
        vocab_size=200, special_tokens=["<s>", "<pad>", "</s>", "<unk>"], show_progress=False
    )
    tokenizer.train_from_iterator(TEXT, trainer)
    model = json.loads(tokenizer.to_str())["model"]
    return model["vocab"], [tuple(merge) for merge in model["merges"]]


def _nllb(folder: Path) -> Any:
    from transformers import NllbTokenizer

    vocab, merges = _bpe()
    return NllbTokenizer(vocab=vocab, merges=merges, src_lang="eng_Latn", tgt_lang="deu_Latn")


def _mbart(folder: Path) -> Any:
    from transformers import MBartTokenizer

    return MBartTokenizer(vocab=_fairseq_vocab(), src_lang="en_XX", tgt_lang="de_DE")


def _mbart50(folder: Path) -> Any:
    from transformers import MBart50Tokenizer

    return MBart50Tokenizer(vocab=_fairseq_vocab(), src_lang="en_XX", tgt_lang="de_DE")


def _t5(folder: Path) -> Any:
    from transformers import T5Tokenizer

    entries, _ = pieces()
    rest = [(p, s) for p, s in entries if p not in ("<s>", "</s>", "<unk>")]
    return T5Tokenizer(vocab=[("<pad>", 0.0), ("</s>", 0.0), ("<unk>", 0.0), *rest], extra_ids=0)


def _fsmt(folder: Path) -> Any:
    from transformers import FSMTTokenizer

    letters = sorted({c for line in TEXT for c in line if c != " "})
    symbols = [*letters, *[f"{c}</w>" for c in letters]]
    vocabulary = {t: i for i, t in enumerate(["<s>", "<pad>", "</s>", "<unk>", *symbols])}
    folder.mkdir(parents=True, exist_ok=True)
    for side in ("src", "tgt"):
        (folder / f"vocab-{side}.json").write_text(json.dumps(vocabulary))
    (folder / "merges.txt").write_text("#version: 0.2\nt h\n")
    return FSMTTokenizer(
        langs=["en", "de"],
        src_vocab_file=str(folder / "vocab-src.json"),
        tgt_vocab_file=str(folder / "vocab-tgt.json"),
        merges_file=str(folder / "merges.txt"),
    )


def _llama(folder: Path, **extra: Any) -> Any:
    from transformers import LlamaTokenizer

    vocab, merges = _bpe()
    return LlamaTokenizer(vocab=vocab, merges=merges, **extra)


def _gpt2(folder: Path) -> Any:
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers
    from transformers import PreTrainedTokenizerFast

    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    alphabet = pre_tokenizers.ByteLevel.alphabet()
    trainer = trainers.BpeTrainer(
        vocab_size=400, special_tokens=["<|endoftext|>"], initial_alphabet=alphabet, show_progress=False
    )
    tokenizer.train_from_iterator(TEXT, trainer)
    return PreTrainedTokenizerFast(tokenizer_object=tokenizer, eos_token="<|endoftext|>", bos_token="<|endoftext|>")


_TOKENIZERS: dict[str, Any] = {
    "marian": _marian,
    "marian-multi": lambda folder: _marian(folder, (">>de<<", ">>fr<<")),
    "marian-varieties": lambda folder: _marian(
        folder, (">>pt<<", ">>pt_BR<<", ">>zho_Hant<<", ">>srp_Cyrl<<", ">>nob<<", ">>nno<<")
    ),
    "m2m100": _m2m100,
    "nllb": _nllb,
    "mbart": _mbart,
    "mbart50": _mbart50,
    "t5": _t5,
    "mt5": _t5,
    "fsmt": _fsmt,
    "llama": _llama,
    "qwen": _gpt2,
    "gemma": _llama,
    "gpt2": _gpt2,
}


def _model(name: str, tokenizer: Any) -> Any:
    import transformers as tf

    size = len(tokenizer) + (130 if name == "m2m100" else 0)  # it keeps its language tokens behind the vocabulary
    ids = {"pad_token_id": tokenizer.pad_token_id, "eos_token_id": tokenizer.eos_token_id}
    if name.startswith("marian"):
        ids |= {"vocab_size": size, "decoder_start_token_id": tokenizer.pad_token_id}
        return tf.MarianMTModel(tf.MarianConfig(**ids, **BART, activation_function="swish", scale_embedding=True))
    if name in ("m2m100", "nllb"):
        ids |= {"vocab_size": size, "decoder_start_token_id": tokenizer.eos_token_id}
        return tf.M2M100ForConditionalGeneration(tf.M2M100Config(**ids, **BART))
    if name in ("mbart", "mbart50"):
        return tf.MBartForConditionalGeneration(tf.MBartConfig(vocab_size=size, **ids, **BART, scale_embedding=True))
    if name in ("t5", "mt5"):
        config = {"t5": tf.T5Config, "mt5": tf.MT5Config}[name]
        model = {"t5": tf.T5ForConditionalGeneration, "mt5": tf.MT5ForConditionalGeneration}[name]
        act = "relu" if name == "t5" else "gated-gelu"
        shape = {"d_kv": 8, "d_ff": 64, "num_layers": 2, "num_heads": 4, "feed_forward_proj": act, **WIDTH}
        return model(config(vocab_size=size, decoder_start_token_id=0, **ids, **shape))
    if name == "fsmt":
        return tf.FSMTForConditionalGeneration(
            tf.FSMTConfig(langs=["en", "de"], src_vocab_size=size, tgt_vocab_size=size, **ids, **BART)
        )
    ids |= {"bos_token_id": tokenizer.bos_token_id, "vocab_size": size}
    if name == "llama":
        return tf.LlamaForCausalLM(tf.LlamaConfig(**ids, **LLAMA))
    if name == "qwen":
        return tf.Qwen2ForCausalLM(tf.Qwen2Config(**ids, **LLAMA))
    if name == "gemma":
        layers = {"sliding_window": 128, "head_dim": 8, "final_logit_softcapping": 5.0}
        return tf.Gemma2ForCausalLM(tf.Gemma2Config(**ids, **LLAMA, **layers))
    return tf.GPT2LMHeadModel(tf.GPT2Config(**ids, n_positions=256, n_embd=32, n_layer=2, n_head=4))
