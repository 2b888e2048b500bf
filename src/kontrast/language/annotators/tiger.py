"""Trees of the TIGER treebank, which spaCy's German pipelines give, made to look like Universal Dependencies.

What the errors stand on is converted: subjects, determiners, particles, auxiliaries (in TIGER the finite verb governs
the participle, in UD it depends on it) and coordination (in TIGER the second part depends on the conjunction). Other
relations keep TIGER's name; a preposition still governs its noun, and a copula its predicate.
"""

from collections.abc import Sequence

import msgspec

from kontrast.language.annotation import Token
from kontrast.language.lexicon import tag_tables

_RELATIONS = tag_tables("stts")["relations"]
_AUXILIARIES = ("VA", "VM")
_GOVERNED = ("VVPP", "VVINF", "VAPP", "VAINF", "VMPP", "VMINF")


def as_universal(tokens: Sequence[Token]) -> tuple[Token, ...]:
    """The tokens with heads and relations of UD."""
    heads = [t.head for t in tokens]
    relations = [_relation(t) for t in tokens]
    for i, relation in enumerate(relations):
        # Maria in „Hans und Maria“: not a part of the conjunction but of Hans.
        while relation == "conj" and heads[i] >= 0 and relations[heads[i]] == "cc":
            heads[i] = heads[heads[i]]
    for top, token in enumerate(tokens):
        if token.tag.startswith(_AUXILIARIES) and relations[top] != "aux":
            _put_lexical_verb_on_top(tokens, heads, relations, top)
    return tuple(
        msgspec.structs.replace(t, head=h, relation=r) for t, h, r in zip(tokens, heads, relations, strict=True)
    )


def _put_lexical_verb_on_top(tokens: Sequence[Token], heads: list[int], relations: list[str], top: int) -> None:
    """*wird gesehen worden sein*: gesehen takes the place of the verb on top, which depends on it with the others."""
    if heads[top] >= 0 and relations[top] == "oc" and tokens[heads[top]].tag.startswith(_AUXILIARIES):
        return
    chain = [top]
    while (below := _governed(tokens, heads, relations, chain[-1])) is not None and below not in chain:
        chain.append(below)
        if not tokens[below].tag.startswith(_AUXILIARIES):
            break
    lexical = chain.pop()
    if not chain:
        return
    place, relation = heads[top], relations[top]
    for i, head in enumerate(heads):
        if head in chain and i != lexical:
            heads[i] = lexical
    for auxiliary in chain:
        heads[auxiliary], relations[auxiliary] = lexical, "aux"
    heads[lexical], relations[lexical] = place, relation


def _governed(tokens: Sequence[Token], heads: list[int], relations: list[str], verb: int) -> int | None:
    found = (i for i, h in enumerate(heads) if h == verb and relations[i] == "oc" and tokens[i].tag in _GOVERNED)
    return next(found, None)


def _relation(token: Token) -> str:
    if token.relation == "nk" and token.pos in ("DET", "ADJ"):
        return "det" if token.pos == "DET" else "amod"
    return _RELATIONS.get(token.relation, token.relation)
