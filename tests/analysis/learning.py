"""kontrast-tiny made to learn some sentences by heart."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import kontrast


def learnt(folder: Path, pairs: Sequence[tuple[str, str, str]], steps: int, seed: int = 1, rate: float = 1e-3) -> str:
    """kontrast-tiny after some steps on (language, source, target), all in one batch; an engine's name."""
    import torch
    from transformers import MarianMTModel, MarianTokenizer

    start = Path(kontrast.__file__).parent / "data" / "kontrast-tiny"
    torch.manual_seed(seed)
    model, tokenizer = MarianMTModel.from_pretrained(start).float(), MarianTokenizer.from_pretrained(start)
    sources, targets = [f">>{code}<< {source}" for code, source, _ in pairs], [target for *_, target in pairs]
    batch = tokenizer(sources, text_target=targets, return_tensors="pt", padding=True)
    batch["labels"][batch["labels"] == tokenizer.pad_token_id] = -100
    optimiser = torch.optim.AdamW(model.parameters(), lr=rate)
    model.train()
    for _ in range(steps):
        optimiser.zero_grad()
        model(**batch).loss.backward()
        optimiser.step()
    model.save_pretrained(folder)
    for file in start.iterdir():
        if not (folder / file.name).exists():
            (folder / file.name).write_bytes(file.read_bytes())
    return f"hf:{folder}"
