"""A command line that breaks a rule is told like any other error: with `--json`, as one line of JSON."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import typer
from typer.core import TyperGroup

from backstory.domain.errors import InvalidInput
from backstory.interfaces.cli.running import Run

# What typer raises when words cannot be read as a command. It exports only this special case of it.
_UsageError: type[Exception] = typer.BadParameter.__mro__[1]

_ASKED = "backstory: --json was among the words"


class Commands(TyperGroup):
    """The root of the commands. Whether JSON was asked for is taken from the words themselves: what is wrong
    with them may keep typer from ever reading the option."""

    def make_context(self, info_name: str | None, args: list[str], parent: Any = None, **extra: Any) -> Any:
        asked = _asks_for_json(args)
        with _told(asked):
            context = super().make_context(info_name, args, parent, **extra)
        context.meta[_ASKED] = asked
        return context

    def invoke(self, ctx: Any) -> Any:
        with _told(ctx.meta[_ASKED]):
            return super().invoke(ctx)


def _asks_for_json(words: Sequence[str]) -> bool:
    options = words[: words.index("--")] if "--" in words else words
    return "--json" in options


@contextmanager
def _told(as_json: bool) -> Iterator[None]:
    try:
        yield
    except _UsageError as error:
        if not as_json:
            raise
        run = Run(None)
        run.json = True
        run.fail(InvalidInput.code, error.format_message(), InvalidInput.exit_code)  # type: ignore[attr-defined]
