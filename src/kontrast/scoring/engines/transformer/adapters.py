"""Adapters of the peft library (LoRA and its kind): loaded onto their base model and merged into its weights.

Transformers ignores an adapter where peft is not installed, and scores the base model instead.
"""

from __future__ import annotations

import tempfile
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

from kontrast.errors import InputError, KontrastError, MissingExtraError
from kontrast.io.json_input import read_json

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
