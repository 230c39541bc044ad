"""docs/reference/cli.md, from the commands themselves."""

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from backstory.domain import errors
from backstory.interfaces.cli.catalogue import CATALOGUE
from backstory.interfaces.cli.manual import EXIT_CODES, MANUALS, Manual
from backstory.interfaces.cli.root import every_command
from scripts.reference_documents import link_to

PAGE = Path(__file__).parent.parent / "docs" / "reference" / "cli.md"

HEAD = """\
# The command line

<!-- Made by `make docs` from interfaces/cli. Do not edit. -->

`backstory` reads and writes sessions from a shell. Every command takes `--json` and `--help`.

| which database | |
|---|---|
| `backstory --url ADDRESS …` | that Postgres, 14 or newer |
| `BACKSTORY_DATABASE_URL` | otherwise the one this variable names |
| neither | the embedded Postgres; it is started when needed and goes on running |

The embedded Postgres keeps its data in `BACKSTORY_DATA_DIR`, by default `~/.local/share/backstory`.

**Sessions** are named by their id, by the beginning or the end of one, or by `last`: the session that was last
worked in. Forks and jobs do not change which one that is. Imported sessions keep their original times. The last
twelve digits of an id are random and are enough; the tables show them.

**JSON** goes to stdout: one document, or one a line where a command lists many things. Keys are only ever
added. Times are ISO 8601 in UTC. With `--json` an error is one line of JSON on stderr,
`{"error": {"code": "unknown-session", "message": "…"}}`; without, it is one sentence. The codes are the
errors below. Notices and warnings are such lines too. All of them are described in
[the documents](documents.md).
"""


def render() -> str:
    """The reference."""
    commands = dict(every_command())
    sections = [HEAD, _exit_codes(), _contents(commands)]
    sections += [_section(words, command, MANUALS[words]) for words, command in commands.items()]
    return "\n".join(sections)


def _exit_codes() -> str:
    rows = [
        f"| {code} | {found.name} | {found.meaning} | {_errors(code)} |" for code, found in EXIT_CODES.items()
    ]
    return "\n".join(
        ["## Exit codes", "", "| code | name | meaning | errors |", "|---|---|---|---|", *rows, ""]
    )


def _errors(exit_code: int) -> str:
    found = [
        kind.code
        for kind in vars(errors).values()
        if isinstance(kind, type)
        and issubclass(kind, errors.BackstoryError)
        and kind.exit_code == exit_code
        and "code" in vars(kind)
    ]
    return ", ".join(f"`{code}`" for code in found)


def _contents(commands: Iterable[str]) -> str:
    panels: dict[str, list[str]] = {}
    for words in commands:
        link = f"[`{words}`](#backstory-{words.replace(' ', '-')})"
        panels.setdefault(CATALOGUE[words.split()[0]].panel, []).append(link)
    rows = [f"| {panel} | {', '.join(links)} |" for panel, links in panels.items()]
    return "\n".join(["## Commands", "", "| | |", "|---|---|", *rows, ""])


def _section(words: str, command: Any, manual: Manual) -> str:
    arguments = [param for param in command.params if param.param_type_name == "argument"]
    options = [param for param in command.params if param.param_type_name == "option"]
    usage = " ".join(["backstory", words, *(_argument(param) for param in arguments), "[OPTIONS]"])
    lines = [f"## backstory {words}", "", command.help, ""]
    if manual.notes:
        lines += [manual.notes, ""]
    lines += [
        f"Usage: `{usage}`",
        "",
        "```console",
        *(f"$ {example}" for example in manual.examples),
        "```",
        "",
    ]
    lines += ["| option | what it does |", "|---|---|", *(_option(param) for param in options), ""]
    kind = "one document a line" if manual.lines else "one document"
    instead = f" or {link_to(manual.instead)}" if manual.instead else ""
    if manual.document is not None:
        lines.append(f"JSON: {kind}, {link_to(manual.document)}{instead}.")
    codes = ", ".join(f"{code} {found.name}" for code, found in manual.exit_codes.items())
    return "\n".join([*lines, "", f"Exit codes: {codes}.", ""])


def _argument(param: Any) -> str:
    name = param.metavar or param.name.upper()
    return name if param.required else f"[{name}]"


def _option(param: Any) -> str:
    names = ", ".join(f"`{name}`" for name in param.opts)
    metavar = f" {_escaped(param.metavar)}" if param.metavar else ""
    notes = [param.help or ""]
    if param.required:
        notes.append("Required.")
    elif param.default not in (None, False, [], ()):
        notes.append(f"Default: {param.default}.")
    return f"| {names}{metavar} | {_escaped(' '.join(notes))} |"


def _escaped(text: str) -> str:
    return text.replace("|", "\\|")
