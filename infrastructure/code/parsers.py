"""Definitions found by tree-sitter, with the query that each grammar brings."""

from collections.abc import Iterable, Iterator
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, NamedTuple, cast

from backstory.domain.code.definitions import Definition, one_line, ordered

if TYPE_CHECKING:
    import tree_sitter

VERSION = 2
"""Raised when the same file gives other definitions or terms: what was kept of files is made again."""

# The module of each grammar, the function that gives it, and the modules with its queries. TypeScript's query has only
# what JavaScript's lacks.
_GRAMMARS = {
    "c": ("tree_sitter_c", "language", ("tree_sitter_c",)),
    "cpp": ("tree_sitter_cpp", "language", ("tree_sitter_cpp",)),
    "go": ("tree_sitter_go", "language", ("tree_sitter_go",)),
    "java": ("tree_sitter_java", "language", ("tree_sitter_java",)),
    "javascript": ("tree_sitter_javascript", "language", ("tree_sitter_javascript",)),
    "python": ("tree_sitter_python", "language", ("tree_sitter_python",)),
    "ruby": ("tree_sitter_ruby", "language", ("tree_sitter_ruby",)),
    "rust": ("tree_sitter_rust", "language", ("tree_sitter_rust",)),
    "tsx": ("tree_sitter_typescript", "language_tsx", ("tree_sitter_javascript", "tree_sitter_typescript")),
    "typescript": (
        "tree_sitter_typescript",
        "language_typescript",
        ("tree_sitter_javascript", "tree_sitter_typescript"),
    ),
}
PARSED = frozenset(_GRAMMARS)
"""The languages that definitions can be found in."""


class _Grammar(NamedTuple):
    parser: "tree_sitter.Parser"
    query: "tree_sitter.Query"


@cache
def parses(language: str) -> bool:
    """Whether definitions are found in files of a language here: its grammar is installed."""
    return language in PARSED and _grammar(language) is not None


def definitions_of(data: bytes, language: str) -> list[Definition]:
    """The definitions of a file, in its order; none where its language is not parsed."""
    grammar = _grammar(language) if language in PARSED else None
    if grammar is None:
        return []
    import tree_sitter

    # The tree is held by name while its nodes are in use: they do not hold it themselves.
    tree = grammar.parser.parse(data)
    matches = tree_sitter.QueryCursor(grammar.query).matches(tree.root_node)
    return ordered(list(_definitions(captures for _, captures in matches)))


@cache
def _grammar(language: str) -> _Grammar | None:
    module, function, queries = _GRAMMARS[language]
    try:
        import tree_sitter

        grammar = tree_sitter.Language(getattr(import_module(module), function)())
        text = "\n".join(import_module(name).TAGS_QUERY for name in queries)
    except ImportError:
        return None
    query = tree_sitter.Query(grammar, text)
    # A number, which the stubs call a method.
    for pattern in range(cast(int, query.pattern_count)):
        # References are most of the captures, and nothing here reads them.
        start, end = query.start_byte_for_pattern(pattern), query.end_byte_for_pattern(pattern)
        if "@definition." not in text.encode()[start:end].decode():
            query.disable_pattern(pattern)
    return _Grammar(tree_sitter.Parser(grammar), query)


def _definitions(matches: Iterable[dict[str, list["tree_sitter.Node"]]]) -> Iterator[Definition]:
    for captures in matches:
        names = captures.get("name")
        for capture, nodes in captures.items():
            if names and capture.startswith("definition."):
                yield _definition(capture.removeprefix("definition."), names[0], nodes[0])


def _definition(kind: str, name: "tree_sitter.Node", node: "tree_sitter.Node") -> Definition:
    outer = _whole(node)
    line = outer.start_point.row + 1
    return Definition(
        kind=kind,
        name=_text(name),
        signature=one_line(_head(node)),
        first=_first_comment(outer),
        line=line,
        last=max(line, outer.end_point.row + (outer.end_point.column > 0)),
    )


def _whole(node: "tree_sitter.Node") -> "tree_sitter.Node":
    """A definition with its decorators, its `export` and the like, which stand in nodes around it."""
    while (
        node.parent is not None
        and node.parent.type
        in (
            "decorated_definition",
            "export_statement",
            "lexical_declaration",
            "variable_declaration",
            "type_declaration",
            "template_declaration",
            "function_definition",
            "expression_statement",
        )
        and node.parent.start_point.row >= node.start_point.row - 20
    ):
        node = node.parent
    return node


def _head(node: "tree_sitter.Node") -> str:
    """The text of a definition up to its body."""
    text = node.text or b""
    body = _body(node)
    if body is not None:
        text = text[: body.start_byte - node.start_byte]
    else:
        text = text.split(b"\n", 1)[0]
    return text.decode("utf-8", "replace")


def _body(node: "tree_sitter.Node") -> "tree_sitter.Node | None":
    """The body of a definition, or that of the function that it names."""
    body = node.child_by_field_name("body")
    if body is not None:
        return body
    for child in node.named_children:
        inner = child.child_by_field_name("body")
        if inner is None:
            value = child.child_by_field_name("value")
            inner = None if value is None else value.child_by_field_name("body")
        if inner is not None:
            return inner
    return None


def _first_comment(node: "tree_sitter.Node") -> int:
    """The first line of the comments right above a definition, or its own."""
    first = node.start_point.row
    before = node.prev_named_sibling
    while before is not None and "comment" in before.type and before.end_point.row >= first - 1:
        first = before.start_point.row
        before = before.prev_named_sibling
    return first + 1


def _text(node: "tree_sitter.Node") -> str:
    return (node.text or b"").decode("utf-8", "replace")
