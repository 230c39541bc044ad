"""The manual of every command: examples, the document of its JSON, its errors.

One description serves `--help`, the reference in the docs, and the tests that hold both to it.
"""

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from rich.markup import escape

from backstory.domain.errors import (
    AccessDenied,
    BackstoryError,
    Conflict,
    InvalidInput,
    NotFound,
    Refused,
    Unavailable,
    VerificationFailed,
)

if TYPE_CHECKING:
    from backstory.interfaces.documents.base import Document

PIPE_CLOSED = 141
"""The exit code that shells report for a program ended by SIGPIPE."""


class ExitCode(NamedTuple):
    name: str
    meaning: str


EXIT_CODES: dict[int, ExitCode] = {
    0: ExitCode("done", "the command succeeded"),
    BackstoryError.exit_code: ExitCode("unexpected", "an unexpected error, or a confirmation declined"),
    InvalidInput.exit_code: ExitCode("bad input", "the command line or a value breaks a rule"),
    NotFound.exit_code: ExitCode("not found", "no such session, version or item"),
    Refused.exit_code: ExitCode("refused", "well formed, but the session's state forbids it"),
    Conflict.exit_code: ExitCode(
        "conflict", "another writer was first, or the key was used for another request"
    ),
    Unavailable.exit_code: ExitCode("unavailable", "no Postgres can be reached, or it needs an upgrade"),
    VerificationFailed.exit_code: ExitCode("not intact", "the record was changed"),
    AccessDenied.exit_code: ExitCode("access denied", "the caller may not do this"),
    130: ExitCode("interrupted", "ended with Ctrl-C"),
    PIPE_CLOSED: ExitCode("output closed", "the reader closed the output, as `head` does"),
}
"""Every command's exit codes."""


@dataclass(frozen=True)
class Manual:
    """The manual of one command."""

    examples: tuple[str, ...]
    """Command lines, each of which the docs and `--help` show."""
    document: type["Document"] | None
    """The document that `--json` prints; None for a command that prints no results."""
    instead: type["Document"] | None = None
    """The document that an option of the command prints instead."""
    lines: bool = False
    """Whether it prints one JSON document a line, or a single one."""
    fails: tuple[type[BackstoryError], ...] = ()
    """Errors it can end with, besides bad input and a missing database."""
    notes: str = ""
    """Text for the reference, beyond the help."""

    @property
    def exit_codes(self) -> dict[int, ExitCode]:
        """Its exit codes."""
        kinds: tuple[type[BackstoryError], ...] = (InvalidInput, *self.fails, Unavailable)
        return {code: EXIT_CODES[code] for code in sorted({0, *(kind.exit_code for kind in kinds)})}

    @property
    def epilog(self) -> str:
        """The end of its `--help`. The help treats each paragraph as a line."""
        head = "[bold]Example:[/]" if len(self.examples) == 1 else "[bold]Examples:[/]"
        examples = [f"  {escape(example)}" for example in self.examples]
        return "\n\n".join([head, *examples, listed(self.exit_codes)])


def listed(codes: dict[int, ExitCode]) -> str:
    """Exit codes on one line of help."""
    return "[bold]Exit codes:[/] " + ", ".join(f"{code} {found.name}" for code, found in codes.items()) + "."


MANUALS: dict[str, Manual] = {}
"""Every command's manual, by the words of the command."""
