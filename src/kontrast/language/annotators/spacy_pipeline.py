"""spaCy as a back end: any installed pipeline or model folder, by name."""

from collections.abc import Iterable, Iterator
from itertools import tee
from typing import Any

from kontrast.errors import KontrastError, MissingExtraError
from kontrast.language.annotation import Sentence, Token
from kontrast.language.annotators.tiger import as_universal

_BATCH = 256
_TYPED = str.maketrans("’", "'")
"""Pipelines know *isn't*; in *isn’t* they take *n’t* for a number, in *it’s* the end for a verb."""


class SpacyPipeline:
    """Annotation by a spaCy pipeline. Every text is one sentence, whatever the pipeline would split."""

    def __init__(self, language: str, name: str, *, entities: bool = False) -> None:
        try:
            import spacy
        except ImportError as error:
            raise MissingExtraError("build", f"annotating with the spaCy pipeline {name!r}") from error
        try:
            self._pipeline: Any = spacy.load(name, exclude=[] if entities else ["ner"])
        except OSError as error:
            raise KontrastError(f"the spaCy pipeline {name!r} is not installed: {_how_to_get(name)}") from error
        if self._pipeline.lang != language:
            raise KontrastError(f"the spaCy pipeline {name!r} is for {self._pipeline.lang!r}, not for {language!r}")
        self.name, self.language = name, language
        pipes = set(self._pipeline.pipe_names)
        layers = {"lemma": "lemmatizer", "tag": "tagger", "morph": "morphologizer", "parse": "parser"}
        # A lemmatizer that was trained is called trainable_lemmatizer.
        found = {layer for layer, pipe in layers.items() if any(p.endswith(pipe) for p in pipes)}
        self.supplies = frozenset({"pos"} | found)
        # Which treebank a German pipeline learnt from shows in its relations.
        self._tiger = "parser" in pipes and "sb" in self._pipeline.get_pipe("parser").labels

    def annotate(self, texts: Iterable[str]) -> Iterator[Sentence]:
        texts, same = tee(texts)
        documents = self._pipeline.pipe((text.translate(_TYPED) for text in same), batch_size=_BATCH)
        for text, document in zip(texts, documents, strict=True):
            sentence = _sentence(document, text)
            yield Sentence(sentence.text, as_universal(sentence.tokens)) if self._tiger else sentence


def _how_to_get(name: str) -> str:
    from kontrast.language.annotators import official

    if name in official(name[:2]):
        return f"python -m spacy download {name} installs it"
    return "install its package, or give the folder of a model"


def _sentence(document: Any, text: str) -> Sentence:
    kept = [word for word in document if not word.is_space]
    places = {word.i: place for place, word in enumerate(kept)}
    tokens = tuple(
        Token(
            text=text[word.idx : word.idx + len(word.text)],
            start=word.idx,
            end=word.idx + len(word.text),
            lemma=word.lemma_,
            pos=word.pos_,
            tag=word.tag_,
            morph=word.morph.to_dict(),
            head=-1 if word.head.i == word.i else places.get(word.head.i, -1),
            relation="root" if word.dep_ == "ROOT" else word.dep_,
            entity=word.ent_type_,
        )
        for word in kept
    )
    return Sentence(text, tokens)
