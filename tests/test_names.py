"""One name, one class, and one home for every list of words."""

from __future__ import annotations

import ast
import itertools
import tomllib
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import kontrast

SOURCE = Path(kontrast.__file__).parent


def test_no_two_public_classes_have_one_name() -> None:
    homes: dict[str, list[str]] = defaultdict(list)
    for path in sorted(SOURCE.rglob("*.py")):
        for node in ast.parse(path.read_text("utf-8")).body:
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                homes[node.name].append(str(path.relative_to(SOURCE)))
    assert len(homes) > 300
    assert not {name: found for name, found in homes.items() if len(found) > 1}


MOST_WITH_TEN = 8


def test_few_functions_have_ten_parameters() -> None:
    """More belong into a record of options, which declares each once for the command and the function."""
    many = []
    for path in sorted(SOURCE.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                own = node.args
                if len(own.posonlyargs) + len(own.args) + len(own.kwonlyargs) >= 10:
                    many.append(f"{path.relative_to(SOURCE)}:{node.lineno} {node.name}")
    assert len(many) <= MOST_WITH_TEN, many


def test_no_list_of_words_stands_twice() -> None:
    """Lists of eight words or more with three quarters in common. Lists that only overlap ask different questions."""
    found = [*_lists_in_code(), *_lists_in_data()]
    assert len(found) > 200
    twice = []
    for (place, words), (other, others) in itertools.combinations(found, 2):
        if len(words & others) >= 0.75 * len(words | others):
            twice.append((place, other, sorted(words & others)))
    assert not twice


def _lists_in_code() -> Iterator[tuple[str, frozenset[str]]]:
    """Sets, lists and tuples of strings, and strings that are split into words."""
    for path in sorted(SOURCE.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            words: list[Any] = []
            if isinstance(node, ast.Set | ast.List | ast.Tuple):
                words = [each.value for each in node.elts if isinstance(each, ast.Constant)]
            elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "split":
                text = node.func.value
                words = text.value.split() if isinstance(text, ast.Constant) and isinstance(text.value, str) else []
            kept = frozenset(word.lower() for word in words if isinstance(word, str))
            if len(kept) >= 8:
                yield f"{path.relative_to(SOURCE)}:{node.lineno}", kept


def _lists_in_data() -> Iterator[tuple[str, frozenset[str]]]:
    for path in (*SOURCE.glob("data/*.toml"), *SOURCE.glob("data/words/*.toml")):
        for name, part in tomllib.loads(path.read_text("utf-8")).items():
            for key, value in part.items() if isinstance(part, dict) else ():
                lists = value if value and isinstance(value, list) and isinstance(value[0], list) else [value]
                for each in lists:
                    if isinstance(each, list) and len(each) >= 8:
                        yield f"{path.relative_to(SOURCE)}: {name}.{key}", frozenset(map(str.lower, each))
