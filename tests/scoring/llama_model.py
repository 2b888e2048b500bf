"""A small Llama with random weights as a GGUF file, and llama.cpp's own server with it (``python -m … MODEL``)."""

from __future__ import annotations

import sys
from pathlib import Path

_LETTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.,:;?!'\"()-"
_WORDS = ("yes", "no", "the", "is", "it")
ANSWERS = ("\u2581yes", "\u2581no")
WIDTH, FEED, LAYERS, HEADS = 64, 128, 2, 4


def pieces() -> list[str]:
    """The vocabulary: bytes, letters, and a few words with all that they are merged from."""
    merged = [f"\u2581{word}"[:end] for word in _WORDS for end in range(2, len(word) + 2)]
    letters = dict.fromkeys(["\u2581", *_LETTERS, *merged])
    return ["<unk>", "<s>", "</s>", *(f"<0x{byte:02X}>" for byte in range(256)), *letters]


def write_model(path: Path) -> None:
    """Random weights from a seed; after a colon *yes* and *no* are among the likeliest tokens."""
    import gguf
    import numpy as np

    words = pieces()
    normal = len(words) - 259
    kinds = [gguf.TokenType.UNKNOWN, gguf.TokenType.CONTROL, gguf.TokenType.CONTROL]
    kinds += [gguf.TokenType.BYTE] * 256 + [gguf.TokenType.NORMAL] * normal
    chance = np.random.default_rng(3)

    def weights(*shape: int) -> np.ndarray:
        return (chance.standard_normal(shape) / np.sqrt(shape[-1])).astype(np.float32)

    out = gguf.GGUFWriter(path, "llama")
    out.add_context_length(1024)
    out.add_embedding_length(WIDTH)
    out.add_block_count(LAYERS)
    out.add_feed_forward_length(FEED)
    out.add_head_count(HEADS)
    out.add_head_count_kv(HEADS)
    out.add_layer_norm_rms_eps(1e-5)
    out.add_rope_dimension_count(WIDTH // HEADS)
    out.add_vocab_size(len(words))
    out.add_tokenizer_model("llama")
    out.add_token_list(words)
    out.add_token_scores([0.0] * 259 + [-float(n) for n in range(normal, 0, -1)])
    out.add_token_types(kinds)
    out.add_bos_token_id(1)
    out.add_eos_token_id(2)
    out.add_add_bos_token(True)
    embedding, head = 3 * weights(len(words), WIDTH), weights(len(words), WIDTH)
    for word in ANSWERS:
        head[words.index(word)] += embedding[words.index(":")]
    out.add_tensor("token_embd.weight", embedding)
    out.add_tensor("output.weight", head)
    out.add_tensor("output_norm.weight", np.ones(WIDTH, np.float32))
    square, wide, narrow = (WIDTH, WIDTH), (FEED, WIDTH), (WIDTH, FEED)
    shapes = dict.fromkeys(("attn_q", "attn_k", "attn_v", "attn_output"), square)
    shapes |= {"ffn_gate": wide, "ffn_up": wide, "ffn_down": narrow}
    for layer in range(LAYERS):
        for name, shape in shapes.items():
            out.add_tensor(f"blk.{layer}.{name}.weight", weights(*shape))
        for name in ("attn_norm", "ffn_norm"):
            out.add_tensor(f"blk.{layer}.{name}.weight", np.ones(WIDTH, np.float32))
    out.write_header_to_file()
    out.write_kv_data_to_file()
    out.write_tensors_to_file()
    out.close()


def serve(path: str) -> None:
    """Until standard input ends; the address is the first line of standard output."""
    import xllamacpp

    given = xllamacpp.CommonParams()
    given.model.path, given.n_ctx, given.n_parallel, given.port, given.warmup = path, 1024, 1, 0, False
    given.cpuparams.n_threads = given.cpuparams_batch.n_threads = 1
    server = xllamacpp.Server(given)
    print(server.listening_address, flush=True)
    sys.stdin.read()


if __name__ == "__main__":
    serve(sys.argv[1])
