"""The root of the commands: loads a command when it is used, and reports usage errors as JSON where asked to."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from importlib import import_module
from typing import Any

import typer
from typer.core import TyperCommand, TyperGroup
from typer.main import get_group

from backstory.domain.errors import InvalidInput
from backstory.domain.text.printable import printable
from backstory.interfaces.cli.catalogue import CATALOGUE, Entry
from backstory.interfaces.cli.run import Run

# Raised by typer for words that it cannot parse. It exports only this subclass.
_UsageError: type[Exception] = typer.BadParameter.__mro__[1]

_ASKED = "backstory: --json was among the words"


def _new_group(name: str, entry: Entry) -> typer.Typer:
    return typer.Typer(
        name=name,
        help=entry.help,
        no_args_is_help=entry.needs_word,
        rich_markup_mode="rich",
        add_completion=False,
    )


GROUPS: dict[str, typer.Typer] = {
    "": typer.Typer(rich_markup_mode="rich", add_completion=False),
    **{name: _new_group(name, entry) for name, entry in CATALOGUE.items() if entry.is_group},
}
"""The registered commands, by the group that they belong to; those without a group are under the empty name."""


class Listed(TyperCommand):
    """A command as the root's `--help` lists it. Loads the command itself when that is used."""

    def __init__(self, name: str, entry: Entry) -> None:
        super().__init__(name, help=entry.help, rich_help_panel=entry.panel)
        self._entry = entry

    def load(self) -> Any:
        """The command itself, or the group."""
        for module in self._entry.modules:
            import_module(f"backstory.interfaces.cli.{module}")
        if self._entry.is_group:
            return get_group(GROUPS[self.name or ""])
        return get_group(GROUPS[""]).commands[self.name or ""]

    def make_context(self, info_name: str | None, args: list[str], parent: Any = None, **extra: Any) -> Any:
        return self.load().make_context(info_name, args, parent, **extra)


class RootCommand(TyperGroup):
    """The root of the commands. Looks for `--json` in the words themselves, since a usage error may keep typer
    from reading the option."""

    def __init__(self, **named: Any) -> None:
        super().__init__(**named)
        self.commands = {name: Listed(name, entry) for name, entry in CATALOGUE.items()}

    def make_context(self, info_name: str | None, args: list[str], parent: Any = None, **extra: Any) -> Any:
        asked = _asks_for_json(args)
        with _told(asked):
            context = super().make_context(info_name, args, parent, **extra)
        context.meta[_ASKED] = asked
        return context

    def invoke(self, ctx: Any) -> Any:
        with _told(ctx.meta[_ASKED]):
            return super().invoke(ctx)


def every_command() -> Iterator[tuple[str, Any]]:
    """Every command with its words, such as `sessions list`. Imports all command modules."""
    for name, entry in CATALOGUE.items():
        loaded = Listed(name, entry).load()
        if entry.is_group:
            yield from ((f"{name} {verb}", command) for verb, command in loaded.commands.items())
        else:
            yield name, loaded


def _asks_for_json(words: Sequence[str]) -> bool:
    options = words[: words.index("--")] if "--" in words else words
    return "--json" in options


@contextmanager
def _told(as_json: bool) -> Iterator[None]:
    try:
        yield
    except _UsageError as error:
        # The prefix is that of a validator of typer's.
        error.message = error.message.removeprefix("Value error, ")  # type: ignore[attr-defined]
        if not as_json:
            error.message = printable(error.message)  # type: ignore[attr-defined]
            raise
        run = Run(None)
        run.json = True
        run.fail(InvalidInput.code, error.format_message(), InvalidInput.exit_code)  # type: ignore[attr-defined]
