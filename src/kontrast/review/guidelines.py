"""Guidelines in Markdown beside the work: as a tree for the page, with the reasons that they list."""

from __future__ import annotations

from collections.abc import Sequence
from importlib import resources
from typing import Any
from urllib.parse import urlsplit

REASONS = (
    "also right",
    "a second error",
    "not this phenomenon",
    "reference is wrong",
    "source is unclear",
    "not fluent",
)
"""Why a candidate may be rejected, where the guidelines list nothing else."""


def built_in() -> str:
    """Shown where the reviewer gives no guidelines; they are no part of an export."""
    return resources.files(__package__).joinpath("page", "guidelines.md").read_text("utf-8")


_TAGS = frozenset(
    "p h1 h2 h3 h4 h5 h6 ul ol li em strong code pre blockquote a table thead tbody tr th td hr br s".split()
)

Node = list[Any]
"""A tag, its address where it is a link (else None), and its children: nodes and texts."""


def tree(text: str) -> list[Node]:
    """Markdown as nodes. HTML in it is text, pictures are left out: nothing is fetched and nothing runs."""
    from markdown_it import MarkdownIt

    parser = MarkdownIt("commonmark", {"html": False}).enable(["table", "strikethrough"])
    root: Node = ["root", None, []]
    _fill(root, parser.parse(text))
    return list(root[2])


def _fill(root: Node, tokens: Sequence[Any]) -> None:
    open_nodes = [root]
    for token in tokens:
        inside = open_nodes[-1][2]
        if token.type == "inline":
            _fill(open_nodes[-1], token.children or ())
        elif token.type == "text":
            before = inside.pop() if inside and isinstance(inside[-1], str) else ""
            inside.append(before + token.content)
        elif token.type in ("softbreak", "image"):
            inside.append(" ")
        elif token.type in ("code_inline", "fence", "code_block"):
            inside.append(["code" if token.type == "code_inline" else "pre", None, [token.content]])
        elif token.nesting == 0 and token.tag in _TAGS:
            inside.append([token.tag, None, []])
        elif token.nesting == 1:
            node: Node = [token.tag if token.tag in _TAGS else "p", _address(token), []]
            if not token.hidden:
                inside.append(node)
            open_nodes.append(node if not token.hidden else open_nodes[-1])
        elif token.nesting == -1:
            open_nodes.pop()


def _address(token: Any) -> str | None:
    address = str((token.attrs or {}).get("href", ""))
    return address if urlsplit(address).scheme in ("http", "https") else None


def reasons(text: str | None) -> list[str]:
    """The list under a heading "Reasons", else `REASONS`."""
    found: list[str] = []
    inside = False
    for node in tree(text or ""):
        if node[0].startswith("h"):
            inside = _text(node).strip().casefold() == "reasons"
        elif inside and node[0] in ("ul", "ol"):
            found += [" ".join(_text(child).split()) for child in node[2] if not isinstance(child, str)]
    return found or list(REASONS)


def _text(node: Node) -> str:
    return "".join(child if isinstance(child, str) else _text(child) for child in node[2])
