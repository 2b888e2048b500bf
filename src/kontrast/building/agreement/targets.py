"""Who agrees with whom: pairs of a word and its controller in a tree, for each kind of agreement.

Trees of a treebank as agreement needs them: every syntactic word and where it stands; pairs of sentences.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import zip_longest
from pathlib import Path
from typing import NamedTuple

from kontrast.errors import InputError
from kontrast.io.conllu import Block, read_blocks
from kontrast.language.annotation import Token
from kontrast.language.annotators.conllu import sentence_of

SUBJECTS = ("nsubj",)
DEEPEST = 3
"""Steps from a relative pronoun up to its clause: *the man with the dog of whom*."""
NOMINAL = frozenset("NOUN PROPN PRON NUM SYM X".split())


class AgreementTarget(NamedTuple):
    """A word that agrees, the word it agrees with, and in which features it could be wrong."""

    phenomenon: str
    word: int
    controller: int
    features: tuple[str, ...]


def targets(tree: Tree) -> Iterator[AgreementTarget]:
    """Every agreement that the tree shows; whether a wrong form can be made is for others to say."""
    for i, word in enumerate(tree.words):
        relation = word.relation.split(":")[0]
        if relation != "det" and _opens_relative(tree, i):
            yield from _pronoun(tree, i)
            continue
        if word.pos in ("VERB", "AUX") and (word.is_finite or _is_past(word)):
            yield from _verbal(tree, i)
        if relation == "det" and word.pos == "DET":
            yield from _nominal(tree, i, "det_noun")
        elif relation in ("amod", "acl") and (word.pos == "ADJ" or _is_participle(word)):
            yield from _nominal(tree, i, "adj_noun")
        elif word.pos == "ADJ" or _is_participle(word):
            yield from _predicate(tree, i)


def _is_past(word: Token) -> bool:
    """Slavic past tenses are participles by origin: they have gender, and are the verb of their clause."""
    features = word.morph
    if features.get("Tense") != "Past" or "Gender" not in features or "Case" in features:
        return False
    return features.get("VerbForm") == "Fin" or features.get("Voice") == "Act"


def _is_participle(word: Token) -> bool:
    return word.morph.get("VerbForm") == "Part" and not _is_past(word)


def _verbal(tree: Tree, verb: int) -> Iterator[AgreementTarget]:
    word = tree.words[verb]
    relation = word.relation.split(":")[0]
    centre = word.head if relation in ("aux", "cop") else verb
    if centre < 0:
        return
    subject = tree.child(centre, *SUBJECTS)
    if subject is not None and _is_relative(tree, subject, centre):
        yield from _relative(tree, verb, centre, subject)
        return
    if subject is None or _is_doubtful_subject(tree, subject, centre):
        return
    if relation == "cop" and tree.words[centre].pos not in ("ADJ", "VERB", "ADV"):
        return  # with a noun as predicate the verb may agree with either
    noun = tree.words[subject]
    shared = [name for name in ("Number", "Gender") if _agrees(word, noun, name)]
    if noun.pos == "PRON" and _agrees(word, noun, "Person") and "Number" in word.morph:
        shared.append("Person")
    if "Gender" in shared and (noun.pos == "PROPN" or noun.morph.get("Person") in ("1", "2")):
        shared.remove("Gender")  # who is meant is not in the sentence
    if shared:
        yield AgreementTarget("subj_verb", verb, subject, tuple(shared))


def _is_relative(tree: Tree, subject: int, centre: int) -> bool:
    """By its feature, or where a treebank has none by being the pronoun that a relative clause begins with."""
    pronoun = tree.words[subject]
    if "PronType" in pronoun.morph:
        return "Rel" in pronoun.morph["PronType"]
    return pronoun.pos == "PRON" and "Person" not in pronoun.morph and tree.words[centre].relation == "acl:relcl"


def _relative(tree: Tree, verb: int, centre: int, pronoun: int) -> Iterator[AgreementTarget]:
    """The verb of a relative clause agrees with the noun that the clause belongs to, where that is beyond doubt."""
    clause = tree.words[centre]
    if tree.words[verb].relation.split(":")[0] == "cop" and clause.pos not in ("ADJ", "VERB", "ADV"):
        return
    noun = _antecedent(tree, centre, pronoun)
    if noun is None or tree.child(centre, "expl", "csubj"):
        return
    shared = tuple(name for name in ("Number", "Gender") if _agrees(tree.words[verb], tree.words[noun], name))
    if shared:
        yield AgreementTarget("relative_verb", verb, noun, shared)


def _antecedent(tree: Tree, clause: int, pronoun: int) -> int | None:
    """The noun that a relative clause belongs to, where that is beyond doubt: not in *one of the men who …*."""
    place = tree.words[clause].head
    if not tree.words[clause].relation.startswith("acl") or place < 0 or place > pronoun:
        return None
    noun = tree.words[place]
    if noun.pos != "NOUN" or noun.relation.startswith(("nmod", "conj")) or _has_conjunct(tree, place):
        return None
    return None if _is_quantified(tree, place) else place


def _opens_relative(tree: Tree, i: int) -> bool:
    """By its feature, or where a treebank has none by its place: behind a comma, or a comma and a preposition."""
    word = tree.words[i]
    if "PronType" in word.morph:
        return "Rel" in word.morph["PronType"]
    if word.pos != "PRON" or "Person" in word.morph or "Poss" in word.morph or i < 2:
        return False
    before = tree.words[i - 2 if tree.words[i - 1].pos == "ADP" else i - 1]
    return before.text == "," and tree.words[word.head].relation == "acl:relcl"


def _pronoun(tree: Tree, i: int) -> Iterator[AgreementTarget]:
    """A relative pronoun has the gender and number of the noun that its clause belongs to."""
    clause = i
    for _ in range(DEEPEST):
        clause = tree.words[clause].head
        if clause < 0:
            return
        if tree.words[clause].relation.startswith("acl"):
            break
    noun = _antecedent(tree, clause, i)
    if noun is None or tree.words[noun].morph.get("Gender") == "Com":
        return  # where there is a common gender, the neuter (vilket) may stand for the whole sentence
    shared = tuple(name for name in ("Gender", "Number") if _agrees(tree.words[i], tree.words[noun], name))
    if shared:
        yield AgreementTarget("relative_pronoun", i, noun, shared)


def _nominal(tree: Tree, i: int, phenomenon: str) -> Iterator[AgreementTarget]:
    word = tree.words[i]
    noun = tree.words[word.head]
    if noun.pos != "NOUN" or _has_conjunct(tree, word.head) or _is_quantified(tree, word.head):
        return
    if word.morph.get("Case", noun.morph.get("Case")) != noun.morph.get("Case", word.morph.get("Case")):
        return  # in the genitive, as whose: it agrees with another noun
    if word.relation.startswith("acl") and (not _is_participle(word) or tree.child(i, "mark", "aux", "cop", "nsubj")):
        return
    if _has_conjunct(tree, i) or word.relation.startswith("conj"):
        return
    shared = tuple(name for name in ("Gender", "Number") if _agrees(word, noun, name))
    if shared:
        yield AgreementTarget(phenomenon, i, word.head, shared)


def _predicate(tree: Tree, i: int) -> Iterator[AgreementTarget]:
    word = tree.words[i]
    helper = next((c for c in tree.children[i] if tree.words[c].relation in ("cop", "aux:pass")), None)
    subject = tree.child(i, *SUBJECTS)
    if helper is None or subject is None or _is_doubtful_subject(tree, subject, i) or _has_conjunct(tree, i):
        return
    if tree.child(i, "nmod") is not None:
        return  # one of several: need not have the subject's gender
    noun = tree.words[subject]
    if noun.pos not in ("NOUN", "PRON") or noun.morph.get("Person") in ("1", "2"):
        return
    shared = tuple(name for name in ("Gender", "Number") if _agrees(word, noun, name))
    if shared:
        yield AgreementTarget("predicate", i, subject, shared)


def _agrees(word: Token, controller: Token, feature: str) -> bool:
    """Both have the feature, each with one value, and it is the same."""
    value = word.morph.get(feature, "")
    return bool(value) and "," not in value and controller.morph.get(feature) == value


def _is_doubtful_subject(tree: Tree, subject: int, centre: int) -> bool:
    noun = tree.words[subject]
    if _has_conjunct(tree, subject) or _is_quantified(tree, subject) or noun.pos not in NOMINAL - {"NUM", "SYM", "X"}:
        return True
    if noun.morph.get("PronType", "") in ("Rel", "Int", "Ind", "Neg", "Tot") or noun.relation == "nsubj:outer":
        return True
    clauses = ("csubj", "expl")
    several = sum(tree.words[c].relation.split(":")[0] in ("nsubj", *clauses) for c in tree.children[centre]) > 1
    return several or noun.morph.get("Case", "Nom") != "Nom"


def _has_conjunct(tree: Tree, i: int) -> bool:
    return tree.child(i, "conj", "appos", "list") is not None


def _is_quantified(tree: Tree, i: int) -> bool:
    """Numbers decide agreement by rules of their own in many languages."""
    for child in tree.children[i]:
        word = tree.words[child]
        if word.pos == "NUM" or "num" in word.relation or word.relation.startswith("clf"):
            return True
    return False


class Tree(NamedTuple):
    """A sentence by its syntactic words; ``joined`` has those that are written as one (del = de + el).

    Each of them has the place of the first of its word.
    """

    id: str
    text: str
    document: str
    words: tuple[Token, ...]
    children: tuple[tuple[int, ...], ...]
    joined: dict[int, int]

    def child(self, head: int, *relations: str) -> int | None:
        """The first child with one of these relations (subtypes count)."""
        for i in self.children[head]:
            if self.words[i].relation.partition(":")[0] in relations:
                return i
        return None


def parallel_trees(source: str | Path, target: str | Path, blocks: Iterable[Block]) -> Iterator[tuple[str, Tree]]:
    """A source sentence and the tree with the same id, in the target's order; by order where neither file has ids.

    ``blocks`` are those of the target. A head that is no word, or a cycle, is an error that names the line.
    """
    sources = [(block.id, block.full_text) for block in read_blocks(source)]
    by_id = dict(sources)
    targets = [_tree(block, target) for block in blocks]
    for path, ids in ((source, [name for name, _ in sources]), (target, [tree.id for tree in targets])):
        if twice := next((name for name, count in Counter(ids).items() if name and count > 1), None):
            raise InputError(path, f"expected each sentence id once, found {twice} again")
    if len(by_id) == len(sources) and all(by_id) and all(tree.id for tree in targets):
        pairs = [(by_id[tree.id], tree) for tree in targets if tree.id in by_id]
        if not pairs:
            first = targets[0].id if targets else "none"
            raise InputError(target, f"has no sentence id in common with {source} (its first is {first})")
        yield from pairs
        return
    for a, b in zip_longest((text for _, text in sources), targets):
        if a is None or b is None:
            counts = f"{len(sources)} and {len(targets)} sentences"
            raise InputError(target, f"expected the same number of sentences as {source}, or ids in both: {counts}")
        yield a, b


def _tree(block: Block, path: str | Path) -> Tree:
    if unparsed := next(((line, row) for line, row in block.words if row[6] == "_"), None):
        line, row = unparsed
        raise InputError(path, f"the head '_' of {row[1]!r} is not a word of the sentence", line=line)
    sentence = sentence_of(block, path, syntactic=True)
    places = {row[0]: place for place, (_, row) in enumerate(block.words)}
    joined: dict[int, int] = {}
    for first, _, last in (row[0].partition("-") for row in block.rows if "-" in row[0]):
        joined |= dict.fromkeys(range(places[first], places[last] + 1), places[first])
    children: list[list[int]] = [[] for _ in sentence.tokens]
    for i, word in enumerate(sentence.tokens):
        if word.head >= 0:
            children[word.head].append(i)
    _refuse_cycle(sentence.tokens, path, block.numbers[0])
    return Tree(block.id, sentence.text, block.document, sentence.tokens, tuple(map(tuple, children)), joined)


def _refuse_cycle(words: Sequence[Token], path: str | Path, line: int) -> None:
    under_root: set[int] = {-1}
    for i in range(len(words)):
        way, at = [], i
        while at not in under_root:
            way.append(at)
            if len(way) > len(words):
                raise InputError(path, f"the tree has a cycle at {words[i].text!r}", line=line)
            at = words[at].head
        under_root.update(way)
