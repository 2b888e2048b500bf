"""Loading a Transformers model: no code of its own unless trusted, adapters are merged, settings that are missing."""

from __future__ import annotations

import ast
import json
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import msgspec
import pytest

from kontrast.errors import KontrastError
from kontrast.scoring.engines import load_engine

from .models import make
from .test_transformers import GROUPS, OPTIONS, flat, sums

torch = pytest.importorskip("torch")
pytest.importorskip("transformers")
SOURCE = Path(__file__).parents[2] / "src" / "kontrast"

CODE = """
from pathlib import Path
from transformers import LlamaConfig, LlamaForCausalLM

Path(__file__).with_name("ran").touch()
Path({mark!r}).touch()


class OwnConfig(LlamaConfig):
    model_type = "own"


class OwnForCausalLM(LlamaForCausalLM):
    config_class = OwnConfig

    def forward(self, *args, **kwargs):
        output = super().forward(*args, **kwargs)
        output.logits = output.logits * {factor}
        return output
"""


@pytest.fixture(scope="module")
def llama(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make("llama", tmp_path_factory.mktemp("llama"))


def changed(folder: Path, file: str = "config.json", **values: Any) -> None:
    """Set keys of a JSON file; None takes a key out."""
    settings = json.loads((folder / file).read_text())
    settings |= values
    kept = {key: value for key, value in settings.items() if value is not None}
    (folder / file).write_text(json.dumps(kept))


def with_code(llama: Path, folder: Path, factor: float = 0.5) -> Path:
    """A model folder that brings Python code; where it is run, it leaves a file ``mark`` beside the folder."""
    shutil.copytree(llama, folder)
    mark = str(folder.with_name("mark"))
    (folder / "own.py").write_text(CODE.format(mark=mark, factor=factor))
    names = {"AutoConfig": "own.OwnConfig", "AutoModelForCausalLM": "own.OwnForCausalLM"}
    changed(folder, model_type="own", architectures=["OwnForCausalLM"], auto_map=names)
    return folder


def test_code_of_a_model_is_not_run_whatever_standard_input_says(llama: Path, tmp_path: Path) -> None:
    folder = with_code(llama, tmp_path / "own")
    command = [sys.executable, "-m", "kontrast", "score", "demo:de", "--model", f"hf:{folder}", "--no-store"]
    done = subprocess.run(
        [*command, "--out", str(tmp_path / "a.scores")], input="y\ny\ny\n", capture_output=True, text=True
    )
    assert done.returncode == 2, done.stderr
    assert "--option trust_remote_code=yes" in done.stderr and "Traceback" not in done.stderr
    assert not (tmp_path / "mark").exists()


def test_trusted_code_is_run_and_in_the_fingerprint(
    llama: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("transformers.dynamic_module_utils.HF_MODULES_CACHE", str(tmp_path / "modules"))
    trusting = msgspec.structs.replace(OPTIONS, extra={"trust_remote_code": "yes"})
    engine = load_engine(f"hf:{with_code(llama, tmp_path / 'one')}", trusting)
    assert (tmp_path / "mark").exists()
    engine.prepare(GROUPS)
    assert flat(sums(engine)) != pytest.approx(flat(sums(load_engine(f"hf:{llama}", OPTIONS))), abs=0.1)
    other = load_engine(f"hf:{with_code(llama, tmp_path / 'two', factor=0.6)}", trusting)
    assert engine.identify() != other.identify()
    assert load_engine(f"hf:{llama}", trusting).identify() != load_engine(f"hf:{llama}", OPTIONS).identify()
    with pytest.raises(KontrastError, match="expected yes or no"):
        load_engine(f"hf:{llama}", msgspec.structs.replace(OPTIONS, extra={"trust_remote_code": "maybe"}))


def test_every_loader_says_whether_it_trusts() -> None:
    """Left out, Transformers asks on standard input."""
    calls = [
        (path, call)
        for path in SOURCE.rglob("*.py")
        if "from_pretrained" in (text := path.read_text())
        for call in ast.walk(ast.parse(text))
        if isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute) and call.func.attr == "from_pretrained"
    ]
    silent = [
        f"{path.name}:{call.lineno}"
        for path, call in calls
        if "trust_remote_code" not in {keyword.arg for keyword in call.keywords} and "peft" not in ast.unparse(call)
    ]
    assert len(calls) > 8 and not silent


@pytest.fixture(scope="module")
def adapter(llama: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A LoRA adapter with large weights, in a folder of its own."""
    peft = pytest.importorskip("peft")
    from transformers import AutoModelForCausalLM

    torch.manual_seed(3)
    settings = peft.LoraConfig(r=4, target_modules=["q_proj", "v_proj", "up_proj"], init_lora_weights=False)
    model = peft.get_peft_model(AutoModelForCausalLM.from_pretrained(llama), settings)
    folder = tmp_path_factory.mktemp("adapter")
    model.save_pretrained(folder)
    return folder


def test_an_adapter_is_merged_from_its_own_folder_or_beside_the_model(
    llama: Path, adapter: Path, tmp_path: Path
) -> None:
    peft = pytest.importorskip("peft")
    from transformers import AutoModelForCausalLM, AutoTokenizer

    from kontrast.scoring.engines.hf import engine_of

    both = Path(shutil.copytree(llama, tmp_path / "both"))
    for file in adapter.glob("adapter_*"):
        shutil.copy(file, both)
    joined = peft.PeftModel.from_pretrained(AutoModelForCausalLM.from_pretrained(llama), adapter)
    plain = msgspec.structs.replace(OPTIONS, share=False)
    right = engine_of(joined, AutoTokenizer.from_pretrained(llama), plain, "joined")
    base = load_engine(f"hf:{llama}", OPTIONS)
    for folder in (adapter, both):
        engine = load_engine(f"hf:{folder}", OPTIONS)
        engine.prepare(GROUPS)
        assert engine.supports.sharing
        assert flat(sums(engine)) == pytest.approx(flat(sums(right)), abs=1e-3)
        assert flat(sums(engine)) != pytest.approx(flat(sums(base)), abs=0.1)
        assert engine.identify() != base.identify()


def test_an_adapter_without_peft_is_refused(adapter: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "peft", None)
    with pytest.raises(KontrastError, match=r"has an adapter .* needs an extra: .*kontrast\[peft\]"):
        load_engine(f"hf:{adapter}", OPTIONS)


def test_an_adapter_that_does_not_fit_is_refused(llama: Path, adapter: Path, tmp_path: Path) -> None:
    marian = make("marian", tmp_path / "marian")
    for file in adapter.glob("adapter_*"):
        shutil.copy(file, marian)
    with pytest.raises(KontrastError, match="--model hf:"):
        load_engine(f"hf:{marian}", OPTIONS)
    fewer = Path(shutil.copytree(adapter, tmp_path / "fewer"))
    changed(fewer, "adapter_config.json", target_modules=["q_proj"])
    with pytest.raises(KontrastError, match="weights of the adapter do not fit"):
        load_engine(f"hf:{fewer}", OPTIONS)


def test_an_adapter_of_another_base_is_refused(llama: Path, adapter: Path, tmp_path: Path) -> None:
    """The same class with other sizes: its weights have the right names and the wrong shapes."""
    from transformers import AutoConfig, AutoModelForCausalLM

    other = Path(shutil.copytree(llama, tmp_path / "other"))
    config = AutoConfig.from_pretrained(llama)
    config.intermediate_size *= 2
    AutoModelForCausalLM.from_config(config).save_pretrained(other)
    moved = Path(shutil.copytree(adapter, tmp_path / "moved"))
    changed(moved, "adapter_config.json", base_model_name_or_path=str(other))
    with pytest.raises(KontrastError, match=r"have other shapes .* it may belong to another model") as found:
        load_engine(f"hf:{moved}", OPTIONS)
    assert "\n" not in str(found.value)


def test_an_adapter_whose_base_is_gone_is_refused(adapter: Path, tmp_path: Path) -> None:
    moved = Path(shutil.copytree(adapter, tmp_path / "moved"))
    changed(moved, "adapter_config.json", base_model_name_or_path=str(tmp_path / "gone"))
    with pytest.raises(KontrastError, match=r"there is no folder .*gone; write the path of the model"):
        load_engine(f"hf:{moved}", OPTIONS)


def test_an_architecture_that_transformers_does_not_know_is_one_line(tmp_path: Path) -> None:
    (tmp_path / "config.json").write_text('{"model_type": "nosuch"}')
    with pytest.raises(KontrastError, match="does not know the model type nosuch; a newer version may: pip install"):
        load_engine(f"hf:{tmp_path}", OPTIONS)


def test_an_adapter_that_cannot_be_merged_is_refused(llama: Path, tmp_path: Path) -> None:
    peft = pytest.importorskip("peft")
    from transformers import AutoModelForCausalLM

    settings = peft.PromptTuningConfig(task_type="CAUSAL_LM", num_virtual_tokens=4)
    peft.get_peft_model(AutoModelForCausalLM.from_pretrained(llama), settings).save_pretrained(tmp_path / "prompt")
    with pytest.raises(KontrastError, match="PROMPT_TUNING cannot be merged"):
        load_engine(f"hf:{tmp_path / 'prompt'}", OPTIONS)


def test_the_start_token_may_be_in_the_generation_settings(tmp_path: Path) -> None:
    folder = make("t5", tmp_path / "t5")
    right = flat(sums(load_engine(f"hf:{folder}", OPTIONS)))
    changed(folder, "generation_config.json", decoder_start_token_id=0)
    changed(folder, decoder_start_token_id=None)
    engine = load_engine(f"hf:{folder}", OPTIONS)
    assert flat(sums(engine)) == pytest.approx(right, abs=1e-4)
    changed(folder, "generation_config.json", decoder_start_token_id=None)
    with pytest.raises(KontrastError, match=r"neither config\.json nor generation_config\.json"):
        load_engine(f"hf:{folder}", OPTIONS)


def test_a_chat_template_that_takes_no_system_message(llama: Path, tmp_path: Path) -> None:
    from transformers import AutoTokenizer

    folder = Path(shutil.copytree(llama, tmp_path / "chat"))
    tokenizer = AutoTokenizer.from_pretrained(folder)
    tokenizer.chat_template = (
        "{% for m in messages %}{% if m.role == 'system' %}{{ raise_exception('System role not supported') }}"
        "{% endif %}[{{ m.role }}] {{ m.content }}\n{% endfor %}"
    )
    tokenizer.save_pretrained(folder)
    chat = msgspec.structs.replace(OPTIONS, extra={"chat": "yes", "system": "Translate."})
    with pytest.raises(KontrastError, match=r"turns system → user \(System role not supported\): leave out --option"):
        list(load_engine(f"hf:{folder}", chat).score(GROUPS))  # type: ignore[union-attr]
