"""docs/reference/commands.md: the chat commands, from their table."""

from pathlib import Path

from backstory.application.chat import syntax
from backstory.application.chat.references import PREFIXES
from backstory.domain.context_document.commands import OFFERS, RULES

PAGE = Path("docs/reference/commands.md")


HEAD = """\
# Chat commands

<!-- Made by `make docs` from domain/context_commands.py. Do not edit. -->

`session.command(text)` and `backstory command SESSION TEXT` take these. A command that is not available in the
session's state, or that cannot be done as it stands, changes nothing and says why.

| command | what it does | when |
|---|---|---|"""

MEANT = """\
## What is meant

Goals, actions, questions and the like are named by id or by text. A number alone is an id too, and so is what stands
before a line of a context: `[G12]`. A text is compared as it is, then in any case, then with how the open ones begin,
then with any part of them, from three letters on; the first of these that fits anything must fit one only. Otherwise
the answer lists what fits, and nothing is changed.

| kind | ids |
|---|---|"""


def render() -> str:
    rows = [
        f"| `{offer.usage}` | {offer.description} | {RULES[offer.availability].words} |" for offer in OFFERS
    ]
    writing = (syntax.__doc__ or "").split("\n\n", 1)[1].strip()
    ids = [
        f"| {kind} | {', '.join(f'`{prefix}-12`' for prefix in prefixes)} |"
        for kind, prefixes in PREFIXES.items()
    ]
    return "\n".join([HEAD, *rows, "", "## How they are written", "", writing, "", MEANT, *ids, ""])
