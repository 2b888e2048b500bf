"""Train a German spaCy pipeline (spaCy's small architecture) from the UD treebanks, for `german_annotators.py`.

python benchmarks/german_pipeline.py --out FOLDER [--steps 2000] [--data ../shared/data]

GSD dev and LIT are for training, a tenth of GSD dev for choosing the best step; GSD test and PUD stay unseen. On one
core 2,000 steps take about ten minutes, and the second thousand brings little. Configuration and corpora are written
into FOLDER too; the model is FOLDER/model-best.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from kontrast.language.annotation import Sentence
from kontrast.language.annotators.conllu import read_conllu

DATA = Path(__file__).resolve().parents[2] / "shared" / "data"
PIPES = ("tagger", "morphologizer", "trainable_lemmatizer", "parser")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, default=DATA)
    parser.add_argument("--out", type=Path, required=True, help="folder for corpora, configuration and model")
    parser.add_argument("--steps", type=int, default=2000)
    args = parser.parse_args()
    print(train(args.data / "ud", args.out, args.steps))


def train(treebanks: Path, out: Path, steps: int) -> Path:
    """Train, unless the folder has a model already; the model's folder."""
    best = out / "model-best"
    if best.exists():
        return best
    from spacy.cli.init_config import init_config
    from spacy.cli.train import train as run

    out.mkdir(parents=True, exist_ok=True)
    gsd = list(read_conllu(treebanks / "de_gsd-ud-dev.conllu"))
    lit = list(read_conllu(treebanks / "de_lit-ud-test.conllu"))
    write_corpus(out / "dev.spacy", gsd[::10])
    write_corpus(out / "train.spacy", [s for i, s in enumerate(gsd) if i % 10], lit)
    config = init_config(lang="de", pipeline=list(PIPES), optimize="efficiency", gpu=False, silent=True)
    config["training"].update(max_steps=steps, patience=steps, eval_frequency=500)
    config["training"]["score_weights"] = {"dep_las": 0.5, "morph_acc": 0.3, "tag_acc": 0.1, "lemma_acc": 0.1}
    config.to_disk(out / "config.cfg")
    overrides = {"paths.train": str(out / "train.spacy"), "paths.dev": str(out / "dev.spacy")}
    run(out / "config.cfg", out, overrides=overrides)
    return best


def write_corpus(path: Path, sentences: Iterable[Sentence], poor: Iterable[Sentence] = ()) -> None:
    """Sentences as spaCy's training data; of ``poor`` ones the morphology is left out, for LIT has hardly any."""
    import spacy
    from spacy.tokens import DocBin

    vocabulary = spacy.blank("de").vocab
    corpus = DocBin()
    for sentence in sentences:
        corpus.add(document(sentence, vocabulary))
    for sentence in poor:
        corpus.add(document(sentence, vocabulary, morphology=False))
    corpus.to_disk(path)


def document(sentence: Sentence, vocabulary: Any, morphology: bool = True) -> Any:
    """A spaCy document with the sentence's own words and annotation."""
    from spacy.tokens import Doc

    tokens = sentence.tokens
    features = ["|".join(f"{k}={v}" for k, v in t.morph.items()) or "_" for t in tokens]
    return Doc(
        vocabulary,
        words=[t.text for t in tokens],
        spaces=[sentence.text[t.end : t.end + 1] == " " for t in tokens],
        tags=[{"PROAV": "PAV"}.get(t.tag, t.tag) for t in tokens],
        pos=[t.pos for t in tokens] if morphology else None,
        morphs=features if morphology else None,
        lemmas=[t.lemma for t in tokens],
        heads=[t.head if t.head >= 0 else i for i, t in enumerate(tokens)],
        deps=["ROOT" if t.head < 0 else t.relation for t in tokens],
    )


if __name__ == "__main__":
    main()
