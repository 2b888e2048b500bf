"""Load a Transformers model and its tokenizer, or say in one sentence why not; tell models apart by fingerprint."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Any

from kontrast.errors import InputError, KontrastError, MissingExtraError
from kontrast.scoring.engine import EngineOptions

__all__ = ["fingerprint", "load_pretrained", "load_torch", "pick_device", "pick_dtype"]


def load_torch() -> Any:
    """The torch module, without gradients."""
    try:
        import torch
    except ImportError as error:
        raise MissingExtraError("hf", "scoring with Transformers models") from error
    return torch


def load_pretrained(name: str) -> tuple[Any, Any]:
    """(model in single precision, tokenizer) from a local folder or the hub."""
    load_torch()
    try:
        import transformers
    except ImportError as error:
        raise MissingExtraError("hf", "scoring with Transformers models") from error
    if name.startswith((".", "/", "~")) and not Path(name).is_dir():
        raise InputError(name, "expected a folder with a Transformers model")
    transformers.logging.set_verbosity_error()
    transformers.logging.disable_progress_bar()
    try:
        config = transformers.AutoConfig.from_pretrained(name)
        kind = transformers.AutoModelForSeq2SeqLM if config.is_encoder_decoder else transformers.AutoModelForCausalLM
        model = kind.from_pretrained(name, dtype="float32")
        tokenizer = transformers.AutoTokenizer.from_pretrained(name)
    except (OSError, ValueError, KeyError, ImportError) as error:
        reason = " ".join(str(error).split())
        raise KontrastError(f"--model hf:{name}: cannot be loaded ({reason[:300]})") from error
    return model.eval(), tokenizer


def pick_device(wanted: str) -> str:
    """``auto`` is CUDA, else Apple's MPS, else the CPU."""
    torch = load_torch()
    if wanted != "auto":
        try:
            torch.zeros(1, device=wanted)
        except (RuntimeError, AssertionError) as error:
            raise KontrastError(f"--device {wanted}: not usable here ({str(error).splitlines()[0]})") from error
        return wanted
    if torch.cuda.is_available():
        return "cuda"
    return "mps" if torch.backends.mps.is_available() else "cpu"


def pick_dtype(wanted: str) -> Any:
    """A torch dtype by name."""
    torch = load_torch()
    names = {"float32": torch.float32, "fp32": torch.float32, "bfloat16": torch.bfloat16, "bf16": torch.bfloat16}
    names |= {"float16": torch.float16, "fp16": torch.float16}
    if wanted not in names:
        raise KontrastError(f"--dtype {wanted}: expected float32, bfloat16 or float16 (int8: use a ct2 model)")
    return names[wanted]


def fingerprint(model: Any, tokenizer: Any, options: EngineOptions) -> str:
    """Changes with weights, vocabulary and every option that changes numbers; cheap even for large models."""
    digest = hashlib.sha256()
    for name, tensor in sorted(model.state_dict().items()):
        flat = tensor.detach().reshape(-1)
        step = max(1, flat.numel() // 256)
        digest.update(f"{name}{tuple(tensor.shape)}".encode())
        digest.update(flat[::step].double().cpu().numpy().tobytes())
    vocabulary = sorted(tokenizer.get_vocab().items(), key=lambda entry: (entry[1], entry[0]))
    digest.update(repr(vocabulary).encode())
    said = [options.source_language, options.target_language, options.dtype, options.template, options.softmax_pad]
    digest.update(repr((said, sorted(options.extra.items()))).encode())
    return digest.hexdigest()[:32]
