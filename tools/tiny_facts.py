"""Write what the fingerprint of kontrast-tiny holds of its configuration and tokenizer, as Transformers reads them.

    python tools/tiny_facts.py

Run it when the model or the Transformers of constraints.txt changes; tests/scoring/test_embedded.py says when.
"""

from __future__ import annotations

import json

from kontrast.scoring.engine import EngineOptions
from kontrast.scoring.engines.hf import TINY, TINY_FACTS, engine_of
from kontrast.scoring.engines.transformer.engine import TransformerEngine
from kontrast.scoring.engines.transformer.loading import load_pretrained


def main() -> None:
    options = EngineOptions(source_language="en", target_language="de")
    engine = engine_of(*load_pretrained(str(TINY)), options, TINY.name, TINY)
    assert isinstance(engine, TransformerEngine)
    facts = {name: value for name, value in engine.facts().items() if name != "files"}
    TINY_FACTS.write_text(json.dumps(facts, indent=1, sort_keys=True) + "\n", "utf-8")


if __name__ == "__main__":
    main()
