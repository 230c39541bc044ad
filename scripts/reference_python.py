"""docs/reference/python.md: every public name of the package, with its signature and its docstring."""

import ast
import inspect
from collections.abc import Iterator
from enum import Enum
from functools import cache, cached_property
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple, get_type_hints

import backstory
from backstory.application.handle import SessionPart
from backstory.domain.errors import BackstoryError

PAGE = Path("docs/reference/python.md")
LONGEST_LINE = 100
STORE = ("ContextStore", "Session", "Transaction", "ContextAgent", "Project")
ASYNC = (
    "AsyncContextStore",
    "AsyncSession",
    "AsyncTransaction",
    "AsyncContextAgent",
    "AsyncProject",
    "AsyncFeed",
    "AsyncTail",
)


class Entry(NamedTuple):
    """A public name: its signature in Python, and its docstring."""

    name: str
    signature: str
    doc: str | None


def render() -> str:
    names = [name for name in backstory.__all__ if name != "__version__"]
    values = {name: getattr(backstory, name) for name in names}
    errors = [name for name in names if _is_error(values[name])]
    functions = [name for name in names if inspect.isfunction(values[name])]
    constants = [name for name in names if not inspect.isclass(values[name]) and name not in functions]
    others = [name for name in names if name not in {*STORE, *ASYNC, *errors, *functions, *constants}]
    sections = [
        ("The store and its sessions", [_class_text(values[name]) for name in STORE]),
        ("asyncio", [_ASYNC_TEXT, *(_async_text(values[name]) for name in ASYNC)]),
        ("Functions", [_function_text(name, values[name]) for name in sorted(functions)]),
        ("Constants", [_constant_text(name) for name in sorted(constants)]),
        ("Results and values", [_class_text(values[name]) for name in sorted(others)]),
        ("Errors", [_error_table(errors)]),
    ]
    text = "\n\n".join(f"## {title}\n\n" + "\n\n".join(blocks) for title, blocks in sections)
    return f"{_INTRODUCTION}\n{text}\n"


_INTRODUCTION = """# Python API

Every public name of `backstory`, from the docstrings of the code. Methods of a session that belong together stand in a
group: `session.items.save(…)`. A `version` is the number of an event in its session; a write returns it, and it is also
the id of the item that the write brought. Errors are on [a page of their own](errors.md), policies with the reason of
each number on [another](policies.md).
"""

_ASYNC_TEXT = (
    "The asynchronous classes have the same methods and groups as the synchronous ones, with the same parameters. "
    "Calls that read or write are awaited; `session.events()` and `session.views.imported_lines()` are asynchronous "
    "iterators."
)


def entries() -> Iterator[Entry]:
    """Every public name: of the package, of its classes, and of the groups of a session."""
    for name in backstory.__all__:
        value = getattr(backstory, name)
        if name == "__version__":
            continue
        if inspect.isclass(value):
            yield Entry(name, name, class_doc(value))
            for member in members_of(value):
                yield member._replace(name=f"{name}.{member.name}")
            for group, part in groups_of(value).items():
                yield Entry(f"{name}.{group}", group, class_doc(part))
                for member in members_of(part):
                    yield member._replace(name=f"{name}.{group}.{member.name}")
        elif inspect.isfunction(value):
            yield Entry(name, signature_of(name, value), inspect.getdoc(value))
        else:
            yield Entry(name, name, constant_doc(name))


def groups_of(cls: type) -> dict[str, type]:
    """The groups of a class, by name."""
    found = {}
    for name in dir(cls):
        value = inspect.getattr_static(cls, name)
        if isinstance(value, cached_property) and not name.startswith("_"):
            part = get_type_hints(value.func).get("return")
            if inspect.isclass(part) and _is_part(part):
                found[name] = part
    return found


def members_of(cls: type) -> list[Entry]:
    """The public methods and properties that a class has of its own or from another class of the package."""
    if issubclass(cls, Enum):
        return []
    found: dict[str, Entry] = {}
    for owner in _owners(cls):
        for name, value in vars(owner).items():
            if name.startswith("_") or name in found:
                continue
            if isinstance(value, property):
                assert value.fget is not None
                returns = _unquoted(_node(value.fget).returns)
                kind = f": {_text(returns)}" if returns is not None else ""
                found[name] = Entry(name, f"{name}{kind}", inspect.getdoc(value.fget))
            elif isinstance(value, classmethod | staticmethod):
                found[name] = Entry(name, signature_of(name, value.__func__), inspect.getdoc(value.__func__))
            elif inspect.isfunction(value) and _is_ours(inspect.unwrap(value).__module__):
                found[name] = Entry(name, signature_of(name, value), inspect.getdoc(value))
    return list(found.values())


def fields_of(cls: type) -> list[Entry]:
    """The fields of a value, each with its type, its default and what stands below it."""
    found: dict[str, Entry] = {}
    for owner in reversed(_owners(cls)):
        body = _class_node(owner).body
        for node, after in zip(body, [*body[1:], None], strict=True):
            if not isinstance(node, ast.AnnAssign) or not isinstance(node.target, ast.Name):
                continue
            name, kind = node.target.id, _text(node.annotation)
            if name.startswith("_") or kind.startswith("ClassVar"):
                continue
            default = f" = {_text(node.value)}" if node.value is not None else ""
            found[name] = Entry(name, f"{name}: {kind}{default}", _string(after))
    return list(found.values())


def signature_of(name: str, function: Any) -> str:
    """The signature as the source has it, without `self`."""
    node = _node(inspect.unwrap(function))
    arguments = node.args
    if arguments.args and arguments.args[0].arg in ("self", "cls"):
        arguments.args = arguments.args[1:]
    returns = f" -> {_text(_unquoted(node.returns))}" if node.returns is not None else ""
    line = f"{name}({_text(arguments)}){returns}"
    if len(line) <= LONGEST_LINE:
        return line
    return f"{name}(\n" + "".join(f"    {part},\n" for part in _parameters(arguments)) + f"){returns}"


def class_doc(cls: type) -> str | None:
    """The docstring that the class itself has in the source."""
    return ast.get_docstring(_class_node(cls))


def constant_doc(name: str) -> str | None:
    """What stands below a constant where it is assigned."""
    module = import_module(f"backstory.{backstory._MODULES[name]}")
    body = ast.parse(inspect.getsource(module)).body
    for node, after in zip(body, [*body[1:], None], strict=True):
        targets = (
            node.targets
            if isinstance(node, ast.Assign)
            else [node.target]
            if isinstance(node, ast.AnnAssign)
            else []
        )
        if any(isinstance(target, ast.Name) and target.id == name for target in targets):
            return _string(after)
    return None


# Blocks


def _class_text(cls: type) -> str:
    blocks = [f"### {cls.__name__}", _paragraphs(class_doc(cls))]
    if issubclass(cls, Enum):
        blocks.append("Values: " + ", ".join(f"`{value.value}`" for value in cls) + ".")
        return "\n\n".join(blocks)
    if fields := fields_of(cls):
        blocks.append("\n".join(_field_line(field) for field in fields))
    blocks += [_entry_text(f"{cls.__name__}.{member.name}", member) for member in members_of(cls)]
    if cls.__name__ != "Session":
        return "\n\n".join([*blocks, *_group_lists(cls)])
    for group, part in groups_of(cls).items():
        blocks += [f"### {cls.__name__}.{group}", _paragraphs(class_doc(part))]
        blocks += [_entry_text(f"{group}.{member.name}", member) for member in members_of(part)]
    return "\n\n".join(blocks)


def _async_text(cls: type) -> str:
    own = ", ".join(f"`{member.name}`" for member in members_of(cls))
    blocks = [f"### {cls.__name__}", _paragraphs(class_doc(cls)), f"Methods: {own}.", *_group_lists(cls)]
    return "\n\n".join(blocks)


def _group_lists(cls: type) -> list[str]:
    """The groups of a class whose methods are described with the session's."""
    lines = []
    for group, part in groups_of(cls).items():
        names = ", ".join(f"`{member.name}`" for member in members_of(part))
        lines.append(f"- `{group}`: {names}")
    return ["Groups:\n\n" + "\n".join(lines)] if lines else []


def _function_text(name: str, function: Any) -> str:
    return f"### {name}\n\n" + _entry_body(
        Entry(name, signature_of(name, function), inspect.getdoc(function))
    )


def _constant_text(name: str) -> str:
    return f"### {name}\n\n{_paragraphs(constant_doc(name))}"


def _error_table(names: list[str]) -> str:
    rows = ["| error | kind of | meaning |", "|---|---|---|"]
    for name in names:
        cls = getattr(backstory, name)
        meaning = " ".join((class_doc(cls) or "").split())
        rows.append(f"| `{name}` | `{cls.__mro__[1].__name__}` | {meaning} |")
    return "\n".join(rows)


def _entry_text(title: str, entry: Entry) -> str:
    return f"#### {title}\n\n{_entry_body(entry)}"


def _entry_body(entry: Entry) -> str:
    return f"```text\n{entry.signature}\n```\n\n{_paragraphs(entry.doc)}"


def _field_line(field: Entry) -> str:
    meaning = f": {' '.join(field.doc.split())}" if field.doc else ""
    return f"- `{field.signature}`{meaning}"


def _paragraphs(doc: str | None) -> str:
    """A docstring with each paragraph on one line. Tables keep their lines."""
    blocks = (doc or "").split("\n\n")
    return "\n\n".join(
        block if block.lstrip().startswith("|") else " ".join(block.split()) for block in blocks
    )


# Source


def _is_error(value: Any) -> bool:
    return inspect.isclass(value) and issubclass(value, BackstoryError)


def _is_ours(module: str | None) -> bool:
    return (module or "").startswith("backstory.")


def _is_part(cls: type) -> bool:
    return issubclass(cls, SessionPart) or cls.__module__.startswith("backstory.application.aio")


def _owners(cls: type) -> list[type]:
    """The class and those of the package that it inherits from."""
    return [owner for owner in cls.__mro__ if _is_ours(owner.__module__)]


@cache
def _source(function: Any) -> str:
    return inspect.getsource(function)


def _node(function: Any) -> ast.FunctionDef | ast.AsyncFunctionDef:
    lines = _source(inspect.unwrap(function)).splitlines()
    indent = len(lines[0]) - len(lines[0].lstrip())
    (node,) = ast.parse("\n".join(line[indent:] for line in lines)).body
    assert isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
    return node


@cache
def _class_node(cls: type) -> ast.ClassDef:
    for node in ast.walk(ast.parse(inspect.getsource(import_module(cls.__module__)))):
        if isinstance(node, ast.ClassDef) and node.name == cls.__name__:
            return node
    raise LookupError(cls)


def _parameters(arguments: ast.arguments) -> list[str]:
    """Each parameter as it is written, with `*` where only names follow."""
    parts = []
    positional = [*arguments.posonlyargs, *arguments.args]
    defaults = [None] * (len(positional) - len(arguments.defaults)) + list(arguments.defaults)
    for argument, default in zip(positional, defaults, strict=True):
        parts.append(_parameter(argument, default))
    if arguments.vararg is not None:
        parts.append(f"*{_text(arguments.vararg)}")
    elif arguments.kwonlyargs:
        parts.append("*")
    for argument, default in zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True):
        parts.append(_parameter(argument, default))
    if arguments.kwarg is not None:
        parts.append(f"**{_text(arguments.kwarg)}")
    return parts


def _parameter(argument: ast.arg, default: ast.expr | None) -> str:
    written = _text(argument)
    if default is None:
        return written
    return (
        f"{written} = {_text(default)}" if argument.annotation is not None else f"{written}={_text(default)}"
    )


def _text(node: ast.AST | None) -> str:
    """The source of a node. An annotation that is quoted as a whole loses the quotes."""
    if node is None:
        return ""
    for inner in ast.walk(node):
        if isinstance(inner, ast.arg):
            inner.annotation = _unquoted(inner.annotation)
    return ast.unparse(node).replace("builtins.", "")


def _unquoted(annotation: ast.expr | None) -> ast.expr | None:
    if isinstance(annotation, ast.Constant) and isinstance(annotation.value, str):
        return ast.parse(annotation.value, mode="eval").body
    return annotation


def _string(node: ast.AST | None) -> str | None:
    if (
        isinstance(node, ast.Expr)
        and isinstance(node.value, ast.Constant)
        and isinstance(node.value.value, str)
    ):
        return inspect.cleandoc(node.value.value)
    return None
