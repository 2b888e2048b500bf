"""Every option of every command is read where its value arrives, and every keyword of every function is read.

The value is followed through the source: from the command's function into the functions that it is passed to by
keyword, in a mapping, or in a record, until something reads it.
"""

from __future__ import annotations

import ast
import inspect
import textwrap
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

import click
import msgspec
import pytest

import kontrast as package
from kontrast.cli import kontrast
from kontrast.testsets.originals import original_options

SOURCE = Path(package.__file__).parent
Function = Callable[..., Any]

STATED = {("evaluate", name): "read by the scripts of the test sets that have it" for name in original_options()}
"""Options (command, name) whose reader is not found here, each with the reason."""


def _commands(command: click.Command = kontrast, path: str = "") -> Iterator[tuple[str, click.Command]]:
    if not isinstance(command, click.Group):
        yield path, command
        return
    context = click.Context(command)
    for name in command.list_commands(context):
        found = command.get_command(context, name)
        assert found is not None
        yield from _commands(found, f"{path} {name}".strip())


EVERY = dict(_commands())


@pytest.mark.parametrize("path", EVERY)
def test_every_option_is_read(path: str) -> None:
    command = EVERY[path]
    assert command.callback is not None
    dead = {p.name for p in command.params if p.expose_value and not is_read(command.callback, str(p.name))}
    assert dead == {name for on, name in STATED if on == path}


def test_every_keyword_is_read() -> None:
    unread = set()
    for path in sorted(SOURCE.rglob("*.py")):
        for node in ast.parse(path.read_text("utf-8")).body:  # not methods: a protocol gives them their keywords
            if isinstance(node, ast.FunctionDef) and not _declares_only(node):
                read = _names(node.body)
                unread |= {(node.name, each.arg) for each in node.args.kwonlyargs if each.arg not in read}
    assert not unread


@pytest.mark.parametrize("name", original_options())
def test_every_option_of_an_original_is_read_by_its_script(name: str) -> None:
    for testset in original_options()[name][1]:
        places = (SOURCE / "testsets" / testset / "original.py", SOURCE / "testsets" / f"{testset}.py")
        script = next(path for path in places if path.is_file())
        assert f'options["{name}"]' in script.read_text("utf-8"), testset


def test_a_dead_option_is_found() -> None:
    def ends(*, seed: int = 1, level: float = 0.5) -> float:
        return level

    def command(**given: Any) -> None:
        chosen = dict(given)
        ends(**{name: chosen[name] for name in ("seed", "level")})

    def reads_in_a_loop(**given: Any) -> list[Any]:
        found = []
        for name in ("mode", "level"):
            found.append(given.get(name))
        return found

    command.__globals__["ends"] = ends
    try:
        assert is_read(command, "level") and not is_read(command, "seed")
        assert is_read(reads_in_a_loop, "mode") and not is_read(reads_in_a_loop, "seed")
    finally:
        del command.__globals__["ends"]


def is_read(function: Function, name: str) -> bool:
    """Is the keyword ``name`` of this function read, by itself or by what it is passed to?"""
    tree = _tree(function)
    own = tree.args
    if name in {each.arg for each in (*own.posonlyargs, *own.args, *own.kwonlyargs)}:
        return name in _names(tree.body)
    code = function.__code__
    if name in code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]:  # of a wrapper around it
        return name in _names(_parsed(code).body)
    return own.kwarg is not None and _is_read_from(function, own.kwarg.arg, name)


def _is_read_from(function: Function, mapping: str, name: str) -> bool:
    """Is ``name`` read from the mapping that is this parameter of the function?"""
    if (function, mapping, name) in _on_the_way:
        return False
    _on_the_way.add((function, mapping, name))
    try:
        return _finds_reader(function, mapping, name)
    finally:
        _on_the_way.discard((function, mapping, name))


_on_the_way: set[tuple[Function, str, str]] = set()
"""Functions that call themselves are followed once."""


def _finds_reader(function: Function, mapping: str, name: str) -> bool:
    tree, known = _tree(function), _namespace(function)
    holders = {mapping}
    for _ in range(3):  # what is made of a holder holds it too
        for node in ast.walk(tree):
            if isinstance(node, ast.Assign | ast.AnnAssign) and node.value and holders & _names([node.value]):
                targets = node.targets if isinstance(node, ast.Assign) else [node.target]
                holders |= {each.id for t in targets for each in ast.walk(t) if isinstance(each, ast.Name)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Subscript | ast.Call) and holders & _names([_object(node)]):
            at = [node.slice] if isinstance(node, ast.Subscript) else node.args[:1]
            if any(isinstance(each, ast.Constant) and each.value == name for each in at):
                return True
            if any(isinstance(each, ast.Name) and each.id in _loops_over(tree, name) for each in at):
                return True
        if isinstance(node, ast.Name) and _field_is_read(known.get(node.id), name):
            return True
        if isinstance(node, ast.Call) and _is_passed(node, holders, known, name):
            return True
    return False


def _loops_over(tree: ast.FunctionDef, name: str) -> set[str]:
    """The variables of statements like ``for key in ("mode", "seed"):`` that take this name."""
    found = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.For) and isinstance(node.iter, ast.Tuple) and isinstance(node.target, ast.Name):
            taken = {each.value for each in node.iter.elts if isinstance(each, ast.Constant)}
            if name in taken:
                found.add(node.target.id)
    return found


def _object(node: ast.Subscript | ast.Call) -> ast.AST:
    """What is looked into: ``given`` of ``given["seed"]`` and of ``given.get("seed")``."""
    return node.value if isinstance(node, ast.Subscript) else node.func


def _is_passed(call: ast.Call, holders: set[str], known: dict[str, Any], name: str) -> bool:
    try:
        callee = inspect.unwrap(eval(compile(ast.Expression(call.func), "", "eval"), known))
    except Exception:
        return False
    if not inspect.isfunction(callee) or not callee.__module__.startswith(("kontrast", __name__)):
        return False
    for each in call.keywords:
        held = holders & _names([each.value])
        if each.arg is None and held and _may_hold(each.value, known, name) and is_read(callee, name):
            return True
        if each.arg and held and isinstance(each.value, ast.Name) and _is_read_from(callee, each.arg, name):
            return True
    parameters = [each.arg for each in _tree(callee).args.args]
    return any(
        isinstance(each, ast.Name | ast.Dict) and holders & _names([each]) and _is_read_from(callee, parameter, name)
        for each, parameter in zip(call.args, parameters, strict=False)
    )


def _may_hold(value: ast.expr, known: dict[str, Any], name: str) -> bool:
    """``{key: given[key] for key in KEYS}`` holds what is among the keys."""
    if not isinstance(value, ast.DictComp):
        return True
    try:
        return name in eval(compile(ast.Expression(value.generators[0].iter), "", "eval"), known)
    except Exception:
        return True


def _field_is_read(kind: object, name: str) -> bool:
    is_record = isinstance(kind, type) and issubclass(kind, msgspec.Struct)
    return is_record and name in kind.__struct_fields__ and name in _attributes()


@cache
def _attributes() -> frozenset[str]:
    """The names of all attributes that are read somewhere in the package."""
    trees = [ast.parse(path.read_text("utf-8")) for path in SOURCE.rglob("*.py")]
    nodes = (node for tree in trees for node in ast.walk(tree))
    return frozenset(n.attr for n in nodes if isinstance(n, ast.Attribute) and isinstance(n.ctx, ast.Load))


@cache
def _tree(function: Function) -> ast.FunctionDef:
    return _parsed(inspect.unwrap(function))


def _parsed(source: Any) -> ast.FunctionDef:
    tree = ast.parse(textwrap.dedent(inspect.getsource(source))).body[0]
    assert isinstance(tree, ast.FunctionDef)
    tree.decorator_list = []
    return tree


@cache
def _namespace(function: Function) -> dict[str, Any]:
    """The globals of a function with what it imports itself."""
    known = dict(inspect.unwrap(function).__globals__)
    for node in ast.walk(_tree(function)):
        if isinstance(node, ast.Import | ast.ImportFrom):
            exec(compile(ast.Module([node], []), "", "exec"), known)
    return known


def _names(nodes: list[Any]) -> set[str]:
    """The names that are read in these."""
    found = (each for node in nodes for each in ast.walk(node))
    return {each.id for each in found if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Load)}


def _declares_only(node: ast.FunctionDef) -> bool:
    """An overload: a docstring or ``...``."""
    return all(isinstance(each, ast.Expr) and isinstance(each.value, ast.Constant) for each in node.body)
