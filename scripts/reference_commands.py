"""docs/reference/commands.md: the chat commands, from their table."""

from pathlib import Path

from backstory.application.chat import syntax
from backstory.application.chat.references import PREFIXES
from backstory.domain.context_document.commands import OFFERS, RULES

PAGE = Path("docs/reference/commands.md")


HEAD = """\
# Chat commands

<!-- Made by `make docs` from domain/context_document/commands.py. Do not edit. -->

Run these with `session.command(text)` or `backstory command SESSION TEXT`. A command that is not available in the
session's state, or that cannot be carried out, changes nothing and returns the reason.

| command | action | available |
|---|---|---|"""

MEANT = """\
## References to items

Name goals, actions, questions and other items by id or by text. A plain number and the label of a context line
(`[G12]`) are ids too. A text is matched in this order: exactly, ignoring case, as the beginning of an open item's text,
as any part of it (three letters or more). The first kind of match that finds an item must find exactly one. Otherwise
the answer lists the candidates, and nothing is changed.

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
    return "\n".join([HEAD, *rows, "", "## Syntax", "", writing, "", MEANT, *ids, ""])
