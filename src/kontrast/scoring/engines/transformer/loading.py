"""Load a Transformers model and its tokenizer, or say in one sentence why not; tell models apart by fingerprint."""

from __future__ import annotations

import hashlib
import json
import logging
import re
import sys
import tempfile
import warnings
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from kontrast.errors import InputError, KontrastError, MissingExtraError, in_one_line
from kontrast.extras import torch, transformers
from kontrast.io.json_input import read_json
from kontrast.scoring.engine import EngineOptions
from kontrast.scoring.fingerprint import file_digest, files_digest, model_files

SETTINGS = "adapter_config.json"


def adapter_settings(name: str) -> dict[str, Any] | None:
    """What ``adapter_config.json`` says; None where the model is a whole one."""
    found = file_of(name, SETTINGS)
    if found is None:
        return None
    try:
        import peft  # noqa: F401
    except ImportError as error:
        raise MissingExtraError("peft", f"--model hf:{name} has an adapter ({SETTINGS}), which") from error
    return dict(read_json(found, dict))


def file_of(name: str, file: str) -> Path | None:
    """A file of a model, in its folder or on the hub; None where it has none."""
    from transformers.utils import cached_file

    if Path(name).is_dir():
        return Path(name) / file if (Path(name) / file).is_file() else None
    found = cached_file(name, file, _raise_exceptions_for_missing_entries=False)
    return Path(found) if found else None


def base_of(name: str, settings: dict[str, Any]) -> str:
    """Where the base model is: beside its adapter, or where the adapter says."""
    if (Path(name) / "config.json").is_file():
        return name
    said = settings.get("base_model_name_or_path")
    if not said:
        raise InputError(Path(name) / SETTINGS, 'expected "base_model_name_or_path", the model of this adapter')
    if str(said).startswith((".", "/", "~")) and not Path(said).is_dir():
        raise InputError(
            Path(name) / SETTINGS,
            f'"base_model_name_or_path": there is no folder {said}; write the path of the model',
        )
    return str(said)


def load_base(name: str, load: Callable[[str], Any]) -> Any:
    """The base model alone: Transformers would load an adapter beside it as well, without merging it."""
    if not (Path(name) / SETTINGS).is_file():
        return load(name)
    with tempfile.TemporaryDirectory() as bare:
        for path in Path(name).iterdir():
            if not path.name.startswith("adapter_"):
                (Path(bare) / path.name).symlink_to(path.resolve())
        return load(bare)


def merged(name: str, model: Any) -> Any:
    """The base model with the adapter in its weights; every weight of the adapter must have its place there."""
    import peft

    try:
        with warnings.catch_warnings(action="ignore"):  # what they say of weights is refused below
            joined = peft.PeftModel.from_pretrained(model, name)
            saved = set(peft.utils.load_peft_weights(name, device="cpu"))
            least, most = (
                set(peft.get_peft_model_state_dict(joined, save_embedding_layers=e)) for e in (False, True)
            )
            wrong = sorted((least - saved) | (saved - most))
            if wrong:
                raise KontrastError(
                    f"--model hf:{name}: {len(wrong)} weights of the adapter do not fit the model, such as "
                    f"{wrong[0]}; it may belong to another model"
                )
            return joined.merge_and_unload(safe_merge=True)
    except (AttributeError, NotImplementedError) as error:
        kind = getattr(joined.active_peft_config, "peft_type", "it")
        raise KontrastError(
            f"--model hf:{name}: an adapter of type {getattr(kind, 'value', kind)} cannot be merged into its model; "
            "LoRA can"
        ) from error
    except RuntimeError as error:
        raise KontrastError(
            f"--model hf:{name}: weights of the adapter have other shapes than those of the model; it may belong "
            f"to another model"
        ) from error


_NOT_LEARNT = ("position_ids", ".version", "rotary_emb.inv_freq", "attn.masked_bias", "_float_tensor")
"""Buffers that old files carry and no model of today reads."""
_SPREAD = ("auto", "balanced", "balanced_low_0", "sequential")
_PLACES = (
    "name_or_path",
    "vocab_file",
    "tokenizer_file",
    "spm_file",
    "source_spm",
    "target_spm",
    "vocab",
    "merges_file",
)


def load_pretrained(name: str, *, trust: bool = False, masked: bool = False, **placed: Any) -> tuple[Any, Any]:
    """(model in single precision, tokenizer) from a local folder or the hub; every weight must be in its place.

    An adapter is merged into its base; a GGUF file's weights are unpacked. Only with ``trust`` may a model bring
    Python code of its own. ``placed`` says where weights go and in how many bits (see `placed_weights`).
    """
    packed = name.endswith(".gguf")
    if packed and find_spec("gguf") is None:
        raise MissingExtraError("bits", f"--model hf:{name} is a GGUF file, which")
    if (packed and not Path(name).is_file()) or (name.startswith((".", "/", "~")) and not Path(name).exists()):
        raise InputError(name, "expected a folder with a Transformers model, or a GGUF file")
    transformers.logging.set_verbosity_error()
    transformers.logging.disable_progress_bar()
    what, absent = "cannot be loaded", ""
    try:
        adapter = None if packed else adapter_settings(name)
        if adapter is not None and "quantization_config" in placed:
            raise KontrastError(
                f"--option bits: {name} is an adapter, and merging it into quantised weights would change them; "
                f"save the merged model and score it"
            )
        base = name if adapter is None else base_of(name, adapter)
        given = {"gguf_file": Path(name).name} if packed else {}
        base = str(Path(name).parent) if packed else base
        config = transformers.AutoConfig.from_pretrained(base, trust_remote_code=trust, **given)
        kind = transformers.AutoModelForSeq2SeqLM if config.is_encoder_decoder else transformers.AutoModelForCausalLM
        kind = transformers.AutoModelForMaskedLM if masked else kind

        def load(place: str) -> tuple[Any, dict[str, Any]]:
            found: tuple[Any, dict[str, Any]] = kind.from_pretrained(
                place,
                **{"dtype": "float32", **placed, **given},
                output_loading_info=True,
                trust_remote_code=trust,
            )
            return found

        model, loaded = load_base(base, load)
        _check_weights(base, loaded)
        if adapter is not None:
            model = merged(name, model)
            base = name if file_of(name, "tokenizer_config.json") else base
        what = "its tokenizer cannot be loaded; save the tokenizer from its training in the same folder"
        absent = _absent_files(base, config.model_type)
        tokenizer = transformers.AutoTokenizer.from_pretrained(base, trust_remote_code=trust, **given)
        if wrong := [piece for piece, number in tokenizer.get_vocab().items() if not isinstance(number, int)]:
            raise ValueError(f"the token {wrong[0]!r} has no number")
    except KontrastError:
        raise
    except Exception as error:  # damaged files raise what the libraries below happen to raise
        reason = _pointer(name) or absent or in_one_line(error)
        if "trust_remote_code" in str(error):
            reason = (
                "it needs its own Python code, which kontrast does not run; read its .py files, and if you trust "
                "them add --option trust_remote_code=yes"
            )
        if unknown := re.search(r"model type `(.+?)` but Transformers does not recognize", str(error)):
            reason = (
                f"Transformers {transformers.__version__} does not know the model type {unknown[1]}; a newer "
                f"version may: pip install --upgrade transformers"
            )
        raise KontrastError(f"--model hf:{name}: {what} ({reason[:200]})") from error
    return model.eval(), tokenizer


_OPTIONAL = ("target_vocab_file", "tokenizer_config_file")


def _absent_files(folder: str, model_type: str) -> str:
    """Which files of its tokenizer a folder does not have, for an error; empty where it has all."""
    from transformers.models.auto.tokenization_auto import TOKENIZER_MAPPING_NAMES

    kind = getattr(transformers, str(TOKENIZER_MAPPING_NAMES.get(model_type)), None)
    if kind is None or not Path(folder).is_dir() or (Path(folder) / "tokenizer.json").is_file():
        return ""
    names = [file for use, file in kind.vocab_files_names.items() if use not in _OPTIONAL]
    absent = [file for file in names if not (Path(folder) / file).is_file()]
    return f"the folder has no {', '.join(absent)}" if absent else ""


def _pointer(folder: str) -> str:
    """What to say of a file that Git LFS has not downloaded; empty where there is none."""
    for path in sorted(Path(folder).iterdir()) if Path(folder).is_dir() else ():
        if path.is_file() and path.stat().st_size < 1024 and path.read_bytes().startswith(b"version https://git-lfs"):
            return f"{path.name} is a Git LFS pointer, not the file itself: run git lfs pull in the folder"
    return ""


def placed_weights(options: EngineOptions) -> dict[str, Any]:
    """How `from_pretrained` spreads weights over devices and rounds them, where ``--option`` says so.

    >>> placed_weights(EngineOptions(extra={"bits": "3"}))
    Traceback (most recent call last):
    kontrast.errors.KontrastError: --option bits=3: expected 8 or 4
    """
    bits, devices = options.extra.get("bits"), options.extra.get("device_map")
    if bits not in (None, "8", "4"):
        raise KontrastError(f"--option bits={bits}: expected 8 or 4")
    if devices not in (None, *_SPREAD):
        raise KontrastError(f"--option device_map={devices}: expected {', '.join(_SPREAD)}; one device is --device")
    if bits is None and devices is None:
        return {}
    for package in ["accelerate", *(["bitsandbytes"] if bits else [])]:
        if find_spec(package) is None:
            raise MissingExtraError("bits", f"--option {f'bits={bits}' if bits else f'device_map={devices}'}")
    dtype = pick_dtype(options.dtype)
    placed = {"dtype": dtype, "device_map": devices or pick_device(options.device)}
    if bits:
        logging.getLogger("bitsandbytes").setLevel(logging.ERROR)  # it warns at every multiplication
        how = {"bnb_4bit_quant_type": "nf4", "bnb_4bit_compute_dtype": dtype} if bits == "4" else {}
        placed["quantization_config"] = transformers.BitsAndBytesConfig(**{f"load_in_{bits}bit": True}, **how)
    return placed


def _check_weights(name: str, loaded: dict[str, Any]) -> None:
    """Weights that are missing would be random, and ones left over belong to another model than the config says."""
    missing = sorted(map(str, loaded.get("missing_keys") or ()))
    over = sorted(key for key in map(str, loaded.get("unexpected_keys") or ()) if not key.endswith(_NOT_LEARNT))
    wrong = sorted(str(entry[0]) for entry in loaded.get("mismatched_keys") or ())
    for keys, problem in (
        (missing, "not in its files"),
        (wrong, "of another shape"),
        (over, "not in its architecture"),
    ):
        if keys:
            more = f" and {len(keys) - 3} more" if len(keys) > 3 else ""
            raise KontrastError(
                f"--model hf:{name}: some weights are {problem}: {', '.join(keys[:3])}{more}; the scores would "
                f"be wrong"
            )


def model_folder(name: str) -> Path | None:
    """Where the files of a model lie: its folder or GGUF file, or the hub's copy; None for an adapter's two."""
    if name.endswith(".gguf"):
        return Path(name)
    if file_of(name, SETTINGS):
        return None
    if Path(name).is_dir():
        return Path(name)
    from transformers.utils import cached_file

    found = cached_file(name, "config.json", _raise_exceptions_for_missing_entries=False, local_files_only=True)
    return Path(found).parent if found else None


def pick_device(wanted: str) -> str:
    """``auto`` is CUDA, else Apple's MPS, else the CPU."""
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
    names = {"float32": torch.float32, "fp32": torch.float32, "bfloat16": torch.bfloat16, "bf16": torch.bfloat16}
    names |= {"float16": torch.float16, "fp16": torch.float16}
    if wanted not in names:
        raise KontrastError(f"--dtype {wanted}: expected float32, bfloat16 or float16 (int8: use a ct2 model)")
    return names[wanted]


def weights_digest(model: Any, folder: Path | None) -> dict[str, str]:
    """The bytes of every weight: of the files where they are known, else of the tensors in memory."""
    if folder is not None:
        return files_digest([folder] if folder.is_file() else model_files(folder))
    digest = hashlib.sha256()
    for name, tensor in sorted(model.state_dict().items()):
        digest.update(f"{name}{tuple(tensor.shape)}{tensor.dtype}".encode())
        digest.update(tensor.detach().cpu().contiguous().reshape(-1).view(torch.uint8).numpy().data)
    return {"weights": digest.hexdigest()}


def code_digest(model: Any) -> list[str]:
    """The bytes of Python code that came with the model, and not with Transformers."""
    package = type(model).__module__.rpartition(".")[0]
    if not package.startswith("transformers_modules"):
        return []
    files = [getattr(module, "__file__", None) for name, module in sys.modules.items() if name.startswith(package)]
    return sorted(file_digest(Path(file)) for file in files if file)


def config_facts(config: Any) -> dict[str, Any]:
    """A configuration as plain values, without what names the place or the writer of the file."""
    facts: dict[str, Any] = {} if config is None else config.to_dict()
    kept = {key: value for key, value in facts.items() if key not in ("_name_or_path", "transformers_version")}
    return dict(json.loads(json.dumps(kept, default=str)))


def tokenizer_facts(tokenizer: Any) -> dict[str, Any]:
    """All that decides how a tokenizer cuts text: vocabulary, processing, special tokens, settings."""
    backend = getattr(tokenizer, "backend_tokenizer", None) or getattr(tokenizer, "_tokenizer", None)
    settings = {key: str(value) for key, value in tokenizer.init_kwargs.items() if key not in _PLACES}
    vocabulary = sorted(tokenizer.get_vocab().items(), key=lambda entry: (entry[1], entry[0]))
    facts = {
        "class": type(tokenizer).__name__,
        "processing": backend.to_str() if backend is not None else "",
        "vocabulary": hashlib.sha256(repr(vocabulary).encode("utf-8", "surrogatepass")).hexdigest(),
        "special": {key: str(value) for key, value in tokenizer.special_tokens_map.items()},
        "settings": settings,
        "chat": str(getattr(tokenizer, "chat_template", None)),
        "adds": [getattr(tokenizer, key, None) for key in ("add_bos_token", "add_eos_token", "add_prefix_space")],
    }
    for side in ("spm_source", "spm_target", "sp_model"):  # slow tokenizers keep their SentencePiece models apart
        model = getattr(tokenizer, side, None)
        if model is not None and hasattr(model, "serialized_model_proto"):
            facts[side] = hashlib.sha256(model.serialized_model_proto()).hexdigest()
    return facts
