"""Expressions over named values, in CEL without its macros: no loop, so an evaluation takes no longer than its text."""

import re
from collections.abc import Callable, Mapping
from typing import Any

from backstory.domain.errors import InvalidInput

_OPERATORS = frozenset(
    {
        "_&&_",
        "_||_",
        "!_",
        "-_",
        "_+_",
        "_-_",
        "_*_",
        "_/_",
        "_%_",
        "_==_",
        "_!=_",
        "_<_",
        "_<=_",
        "_>_",
        "_>=_",
    }
    | {"_?_:_", "_[_]", "@in"}
)
_FUNCTIONS = frozenset(
    {"size", "contains", "startsWith", "endsWith", "matches", "int", "uint", "double", "string", "abs"}
)
_TEXT = re.compile(r"\"[^\"]*\"|'[^']*'")
_WORDS = {"AND": "&&", "OR": "||", "NOT": "!"}
_WORD = re.compile(r"\b(?:AND|OR|NOT)\b")
_MACRO = re.compile(r"\.\s*(all|exists|exists_one|existsOne|map|filter|transform\w*|bind)\s*\(")


class Expression:
    """A checked expression that is true or false."""

    def __init__(
        self,
        text: str,
        variables: frozenset[str],
        functions: Mapping[str, Callable[..., Any]],
        field: str = "condition",
    ) -> None:
        """`variables` and `functions` are what it may name. Raises InvalidInput with the place and the rule."""
        # Imported here: the library brings its own command line, and few processes check a condition.
        import cel

        # Without these, every quoted text ends at its next quote, and nothing hides in one.
        bare = _TEXT.sub("''", text)
        if "\\" in text or "'''" in text or '"""' in text or "//" in bare:
            raise InvalidInput(field, "must have no backslashes, comments or triple quotes")
        if found := _MACRO.search(bare):
            raise InvalidInput(field, f"must not loop: {found[1]!r} is not there")
        try:
            self._program = cel.compile(_translated(text))
        except (ValueError, RuntimeError, RecursionError) as error:
            raise InvalidInput(field, f"does not parse: {_reason(error)}") from None
        unknown = sorted(set(self._program.variables()) - variables)
        if unknown:
            raise InvalidInput(field, f"{unknown[0]!r} is none of {', '.join(sorted(variables))}")
        known = _OPERATORS | _FUNCTIONS | set(functions)
        missing = sorted(set(self._program.functions()) - known)
        if missing:
            raise InvalidInput(field, f"{missing[0]!r} is no function that conditions have")
        self.names = frozenset(self._program.variables())
        """The variables that it names."""
        self._functions = {"abs": abs, **functions}
        self._field = field

    def holds(self, values: Mapping[str, Any]) -> bool:
        """Whether it is true of these values. Raises InvalidInput where it cannot be told."""
        import cel

        context = cel.Context({name: values[name] for name in self.names})
        for name, function in self._functions.items():
            context.add_function(name, function)
        try:
            result = self._program.execute(context)
        except (ArithmeticError, LookupError, RuntimeError, TypeError, ValueError) as error:
            raise InvalidInput(self._field, f"cannot be told: {_reason(error)}") from None
        if not isinstance(result, bool):
            raise InvalidInput(self._field, f"must be true or false, is {type(result).__name__}")
        return result


def _translated(text: str) -> str:
    """The text with `AND`, `OR` and `NOT` as CEL writes them. Quoted texts stay."""
    pieces, end = [], 0
    for quoted in _TEXT.finditer(text):
        pieces += [_as_operators(text[end : quoted.start()]), quoted[0]]
        end = quoted.end()
    return "".join([*pieces, _as_operators(text[end:])])


def _as_operators(text: str) -> str:
    return _WORD.sub(lambda word: _WORDS[word[0]], text)


def _reason(error: Exception) -> str:
    """The first line of what the library says, without the expression."""
    said = str(error).partition("ERROR: ")[2] or str(error)
    return " ".join(said.splitlines()[0].split()) if said.strip() else type(error).__name__
