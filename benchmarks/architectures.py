"""Every architecture of Transformers: is what is shared equal to a plain loop over single rows?

Of each class in the causal and the sequence-to-sequence mapping a small model with random weights is made, scored by
kontrast in whatever way it chooses, and by a loop of its own: one row at a time, no padding, no cache.

    python benchmarks/architectures.py [--only llama,mamba] [--found found.jsonl] [--out docs/architectures.md]

Each class has a process of its own, with a limit of processor time and of memory. `--found` keeps what was found:
the same command goes on from there.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import json
import multiprocessing
import resource
import signal
import sys
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from kontrast.errors import KontrastError
from kontrast.scoring.engine import EngineOptions, Group, Target
from kontrast.scoring.engines.hf import engine_of

TEXT = [
    "The cat sat on the mat because it was tired.",
    "Did you see the bridge? It was built last year, and I have not been there since.",
    "Die Katze saß auf der Matte, weil sie müde war.",
    "Hast du die Brücke gesehen? Sie wurde letztes Jahr gebaut, und ich war seither nicht dort.",
]
GROUPS = [
    Group(TEXT[0], (Target(TEXT[2]), Target(TEXT[2].replace("sie", "er")), Target("Die Katze"))),
    Group(TEXT[1], (Target(TEXT[3]), Target(TEXT[3].replace("Sie", "Er")), Target(TEXT[3].replace("dort", "da")))),
    Group("It was tired.", (Target("Sie war müde."), Target("Er war müde."))),
    Group("I was there.", (Target("Ich war dort."),)),
]
OPTIONS = EngineOptions(source_language="en", target_language="de", device="cpu")
LIMIT = 1e-4
LARGEST = 80_000_000
SECONDS, MEMORY = 60.0, 8 << 30
WORDS = 640
"""Size of the vocabulary."""

_WIDE = "hidden_size d_model n_embd dim emb_dim embedding_size word_embed_proj_dim lru_width attention_hidden_size"
_FEED = "intermediate_size ffn_dim d_ff n_inner encoder_ffn_dim decoder_ffn_dim ffn_hidden_size feed_forward_size"
_FEED += (
    " moe_intermediate_size shared_expert_intermediate_size intermediate_size_mlp d_inner feed_forward_hidden_size"
)
_DEEP = "num_hidden_layers num_layers n_layer n_layers encoder_layers decoder_layers num_encoder_layers"
_DEEP += " num_decoder_layers"
_HEADS = "num_attention_heads n_head n_heads num_heads encoder_attention_heads decoder_attention_heads"
_HEADS += " num_encoder_attention_heads num_decoder_attention_heads"
_EXPERTS = "num_experts num_local_experts n_routed_experts moe_num_experts"
_LONG = "max_position_embeddings n_positions n_ctx max_seq_len max_sequence_length"
_LONG += " max_encoder_position_embeddings max_decoder_position_embeddings"
SMALL: dict[str, Any] = {
    **dict.fromkeys(_WIDE.split(), 32),
    **dict.fromkeys(_FEED.split(), 64),
    **dict.fromkeys(_DEEP.split(), 2),
    **dict.fromkeys(_HEADS.split(), 4),
    **dict.fromkeys(_EXPERTS.split(), 4),
    **dict.fromkeys(_LONG.split(), 512),
    **dict.fromkeys("vocab_size src_vocab_size tgt_vocab_size n_words vocabulary_size".split(), WORDS),
    **dict.fromkeys("num_experts_per_tok moe_topk num_experts_per_token n_group topk_group".split(), 1),
    **dict.fromkeys("head_dim d_kv kv_channels".split(), 8),
    "num_key_value_heads": 2,
    "state_size": 8,
    "is_decoder": True,
    "pad_token_id": 0,
    "bos_token_id": 1,
    "eos_token_id": 2,
    "decoder_start_token_id": 0,
}
OWN: dict[str, dict[str, Any]] = {
    "reformer": {
        "attn_layers": ["local", "local"],
        "axial_pos_embds": False,
        "attention_head_size": 8,
        "local_attn_chunk_length": 16,
    },
    "gptj": {"rotary_dim": 8},
    "codegen": {"rotary_dim": 8},
    "gpt_neo": {"attention_types": [[["global", "local"], 1]], "window_size": 16},
    "mamba2": {"num_heads": 8, "expand": 2, "n_groups": 1, "chunk_size": 16},
    "deepseek_v2": {
        "q_lora_rank": None,
        "kv_lora_rank": 8,
        "qk_nope_head_dim": 8,
        "qk_rope_head_dim": 8,
        "v_head_dim": 8,
    },
    "phi3": {
        "max_position_embeddings": 512,
        "original_max_position_embeddings": 48,
        "rope_parameters": {
            "rope_type": "longrope",
            "rope_theta": 10000.0,
            "short_factor": [1.0, 1.1, 1.2, 1.3],
            "long_factor": [3.0, 4.0, 5.0, 6.0],
            "original_max_position_embeddings": 48,
        },
    },
}
"""What a class needs beside the small sizes."""
OWN["phi3"] |= {"pad_token_id": 0}
_LATENT = {"q_lora_rank": 8, "kv_lora_rank": 8, "qk_nope_head_dim": 8, "qk_rope_head_dim": 8, "v_head_dim": 8}
_LATENT |= {"qk_head_dim": 16, "head_dim": 8, "num_key_value_heads": 4}
OWN["deepseek_v2"] |= {"num_key_value_heads": 4}
for _name in "deepseek_v3 deepseek_v32 axk1 axk2 glm4_moe_lite glm_moe_dsa longcat_flash minicpm3 youtu".split():
    OWN[_name] = dict(_LATENT)
for _name in ("bamba", "granitemoehybrid"):
    OWN[_name] = {"mamba_n_heads": 8, "mamba_d_head": 8, "mamba_d_state": 8, "mamba_n_groups": 1}
OWN["xmod"] = {"default_language": "en_XX"}
OWN["m2m_100"] = {"decoder_start_token_id": 2}  # as in its checkpoints: padding would have no position
OWN["dots1"] = {"n_shared_experts": 1}
OWN["lfm2_moe"] = {"layer_types": ["conv", "full_attention"]}
OWN["zamba"] = {"num_hidden_layers": 3, "mamba_expand": 2, "n_mamba_heads": 2}
OWN["zamba2"] = {"num_hidden_layers": 3, "layer_types": ["mamba", "mamba", "hybrid"], "n_mamba_heads": 8}


@dataclass(frozen=True)
class Outcome:
    """What became of one class. ``state`` is equal, wrong, refused (by kontrast) or not made (by Transformers)."""

    name: str
    kind: str
    state: str
    way: str = ""
    gap: float = 0.0
    reason: str = ""


def tokenizer() -> Any:
    """Pairs of bytes learnt from the text above."""
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers
    from transformers import PreTrainedTokenizerFast

    made = Tokenizer(models.BPE())
    made.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    made.decoder = decoders.ByteLevel()
    alphabet = pre_tokenizers.ByteLevel.alphabet()
    special = ["<pad>", "<s>", "</s>"]
    trainer = trainers.BpeTrainer(
        vocab_size=WORDS, special_tokens=special, initial_alphabet=alphabet, show_progress=False
    )
    made.train_from_iterator(TEXT, trainer)
    return PreTrainedTokenizerFast(tokenizer_object=made, pad_token="<pad>", bos_token="<s>", eos_token="</s>")


def names() -> list[tuple[str, str]]:
    """(model type, "causal" or "seq2seq") of every class."""
    from transformers.models.auto import modeling_auto as auto

    causal = list(auto.MODEL_FOR_CAUSAL_LM_MAPPING_NAMES)
    pairs = list(auto.MODEL_FOR_SEQ_TO_SEQ_CAUSAL_LM_MAPPING_NAMES)
    return [(name, "causal") for name in causal] + [(name, "seq2seq") for name in pairs]


def make(name: str, kind: str, **own: Any) -> Any:
    """A small model of this type with random weights, large enough to tell rows apart."""
    import torch
    import transformers

    config = _small(transformers.CONFIG_MAPPING[name], {**OWN.get(name, {}), **own})
    torch.manual_seed(11)
    auto = transformers.AutoModelForCausalLM if kind == "causal" else transformers.AutoModelForSeq2SeqLM
    with torch.device("meta"):
        size = sum(weight.numel() for weight in auto.from_config(config).parameters())
    if size > LARGEST:
        raise ValueError(f"{size / 1e6:.0f} million weights even with small settings")
    model = auto.from_config(config, dtype=torch.float32).eval()
    model.config.get_text_config().use_cache = False
    if kind == "seq2seq" and getattr(model.config, "decoder_start_token_id", None) is None:
        model.generation_config.decoder_start_token_id = 0
    for parameter in model.parameters():
        if parameter.dim() > 1:
            parameter.data.mul_(2.0)
    return model


def _small(kind: Any, own: dict[str, Any]) -> Any:
    """A configuration with small settings, those of its parts too."""
    default = kind()
    known = {*default.to_dict(), *kind.attribute_map}
    given = {
        key: value for key, value in SMALL.items() if key in known and not isinstance(getattr(default, key, 0), list)
    }
    parts = {
        key: _small(type(part), {}).to_dict()
        for key in kind.sub_configs
        if (part := getattr(default, key, None)) is not None
    }
    return kind(**{**given, **parts, **own})


def trial(name: str, kind: str, **own: Any) -> Outcome:
    """Make, score, compare."""
    import torch

    cut, notes = tokenizer(), io.StringIO()
    try:
        model = make(name, kind, **own)
        with torch.inference_mode():
            loop = list(plain_loop(model, cut, kind))
    except Exception as error:  # whatever a class raises on small settings
        return Outcome(name, kind, "not made", reason=_said(error))
    try:
        with contextlib.redirect_stderr(notes), torch.inference_mode():
            engine: Any = engine_of(model, cut, OPTIONS, name)
            engine.prepare(GROUPS)
            found = dict(engine.score(GROUPS))
            ours = [sum(row.logprobs) for i in range(len(GROUPS)) for row in found[i]]
    except KontrastError as error:
        return Outcome(name, kind, "refused", reason=_said(error))
    except Exception as error:
        return Outcome(name, kind, "wrong", reason=_said(error))
    gap = max(abs(one - other) for one, other in zip(ours, loop, strict=True))
    way = ", ".join(dict.fromkeys(route.words for route in engine._chosen.values()))
    return Outcome(name, kind, "equal" if gap <= LIMIT else "wrong", way, gap, notes.getvalue().strip())


def plain_loop(model: Any, cut: Any, kind: str) -> Iterator[float]:
    """Log-probabilities row by row, with nothing of kontrast's."""
    import torch

    for group in GROUPS:
        for target in group.targets:
            if kind == "causal":
                begin = "<s>" if model.config.model_type.startswith("gemma") else ""
                prompt = cut(f"{begin}English: {group.source}\nGerman:")["input_ids"]
                text = f"{begin}English: {group.source}\nGerman: {target.text}"
                whole = [*cut(text)["input_ids"], cut.eos_token_id]
                assert whole[: len(prompt)] == prompt
                logits, labels = model(input_ids=torch.tensor([whole[:-1]])).logits[0], whole[len(prompt) :]
            else:
                source, labels = cut(group.source)["input_ids"], cut(target.text)["input_ids"]
                start = model.generation_config.decoder_start_token_id
                start = getattr(model.config, "decoder_start_token_id", start)
                start = labels[-1] if model.config.model_type in ("mbart", "fsmt") else start
                inputs = torch.tensor([[start, *labels[:-1]]])
                logits = model(input_ids=torch.tensor([source]), decoder_input_ids=inputs).logits[0]
            rows = torch.log_softmax(logits[-len(labels) :].double(), -1)
            yield float(sum(rows[place, label] for place, label in enumerate(labels)))


def _said(error: Exception) -> str:
    return f"{type(error).__name__}: {' '.join(str(error).split())[:160]}"


def table(outcomes: list[Outcome]) -> str:
    """Counts, then a line for each class."""
    made = [one for one in outcomes if one.state != "not made"]
    counts = {state: sum(one.state == state for one in outcomes) for state in ("equal", "refused", "wrong")}
    lines = [
        f"{len(outcomes)} classes, {len(made)} made: {counts['equal']} equal, {counts['refused']} refused, "
        f"{counts['wrong']} wrong.",
        "",
        "| class | mapping | outcome | scored | largest difference | reason |",
        "|---|---|---|---|---|---|",
    ]
    for one in sorted(outcomes, key=lambda one: (one.state, one.kind, one.name)):
        gap = f"{one.gap:.1e}" if one.state in ("equal", "wrong") else ""
        reason = "" if one.state == "equal" else one.reason.replace("|", "/").replace("\n", "; ")
        lines.append(f"| {one.name} | {one.kind} | {one.state} | {one.way} | {gap} | {reason} |")
    return "\n".join(lines) + "\n"


def apart(name: str, kind: str, seconds: float = SECONDS, memory: int = MEMORY) -> Outcome:
    """A trial in a process of its own: what hangs, crashes or takes too much memory ends that one alone."""
    context = multiprocessing.get_context("fork")
    here, there = context.Pipe(duplex=False)

    def run() -> None:
        resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
        resource.setrlimit(resource.RLIMIT_CPU, (int(seconds), int(seconds)))
        there.send(trial(name, kind))

    child = context.Process(target=run, daemon=True)
    child.start()
    there.close()
    try:
        if here.poll(20 * seconds):
            found: Outcome = here.recv()
            return found
        return Outcome(name, kind, "not made", reason="no result, and little processor time")
    except EOFError:
        child.join()
        spent = child.exitcode in (-signal.SIGXCPU, -signal.SIGKILL)
        reason = f"no result in {seconds:g} s of processor time" if spent else f"ended with status {child.exitcode}"
        return Outcome(name, kind, "not made", reason=reason)
    finally:
        child.kill()
        child.join()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", default="")
    parser.add_argument(
        "--found", type=Path, help="JSON lines of what was found; the same command goes on from there."
    )
    parser.add_argument("--again", default="", help="States to try again: wrong,refused,not made.")
    parser.add_argument("--out", type=Path)
    given = parser.parse_args()
    import torch
    import transformers

    torch.set_num_threads(1)
    transformers.logging.set_verbosity_error()
    wanted = set(filter(None, given.only.split(",")))
    known: dict[tuple[str, str], Outcome] = {}
    if given.found and given.found.exists():
        for line in given.found.read_text().splitlines():
            one = Outcome(**json.loads(line))
            known[one.name, one.kind] = one
    again = set(filter(None, given.again.split(",")))
    outcomes = []
    for name, kind in names():
        if wanted and name not in wanted:
            continue
        one = known.get((name, kind))
        if one is None or one.state in again:
            one = apart(name, kind)
            print(one, file=sys.stderr, flush=True)
            if given.found:
                with given.found.open("a") as kept:
                    kept.write(json.dumps(asdict(one)) + "\n")
        outcomes.append(one)
    text = table(outcomes)
    if given.out:
        before = given.out.read_text().partition("<!-- table -->")[0] if given.out.exists() else ""
        given.out.write_text(f"{before}<!-- table -->\n\n{text}")
    else:
        print(text)


if __name__ == "__main__":
    main()
