"""Make kontrast-tiny, the model inside the package.

python training/kontrast_tiny.py --data ../shared/data --out DIR
"""

from __future__ import annotations

import argparse
from dataclasses import replace
from pathlib import Path

from corpora import training_passages
from small_marian import Example, Settings, train

SETTINGS = Settings(width=192, feed_forward=768, steps=8000, warmup=500)


def main() -> None:
    parser = argparse.ArgumentParser(description="Make kontrast-tiny, the model inside the package.")
    parser.add_argument("--data", type=Path, default=Path("../shared/data"))
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--steps", type=int, default=SETTINGS.steps)
    options = parser.parse_args()
    import torch

    torch.set_num_threads(1)
    examples = [Example(passage.language, passage.pairs) for passage in training_passages(options.data)]
    print(f"{len(examples)} passages")
    train(examples, options.out, replace(SETTINGS, steps=options.steps))


if __name__ == "__main__":
    main()
