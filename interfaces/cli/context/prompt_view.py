"""A context for people: its parts, the items left out, and the prompt."""

import json
from collections.abc import Iterator
from typing import Any

from rich.console import Console, Group
from rich.rule import Rule

from backstory.application.context.result import Context, Reproduction
from backstory.domain.log.ranges import from_ranges
from backstory.domain.text.printable import printable
from backstory.interfaces.cli.output.layout import columns, line, paragraph, table
from backstory.interfaces.cli.output.text import Text
from backstory.interfaces.wording import counted, one_line

BAR = 12
"""Characters of a bar that stands for the whole budget."""

PARTS = {
    "frame": "text around the parts",
    "tools": "definitions of tools",
    "system": "system prompt",
    "rules": "constraints, newest decisions",
    "pins": "pinned items",
    "summary": "summaries of the session and of compactions",
    "task": "the current task",
    "history": "recent conversation",
    "role": "agent, project, layer, clarity",
    "state": "goals, actions, open questions",
    "entities": "names in the messages",
    "older": "older items",
    "earlier": "earlier steps, shortened",
}
"""The contents of each part of a context."""

REASONS = {
    "open_call": "waiting for a tool's result",
    "erased": "erased",
    "unimportant": "recent messages of little importance",
    "pins_over_share": "pinned, but over their share",
    "summary_over_share": "the summary, over its share",
    "state_over_share": "goals, actions or questions over their share",
    "files_over_share": "files in focus over their share",
    "said_elsewhere": "said in another part, as decisions in the summary",
    "not_current": "tasks other than the current one, and the like",
    "older": "older items of lower rank",
}
"""Why items are left out of a context."""


def context_view(context: Context) -> Group:
    """The parts of a context, and the items left out."""
    recorded = f"context {context.version}" if context.version is not None else "preview, not recorded"
    about = [
        recorded,
        f"of version {context.at}",
        context.format,
        f"{len(context.data):,} bytes",
        f"sha256 {context.sha256[:12]}…",
    ]
    rows: list[list[str | Text]] = []
    for section in context.sections:
        holds = PARTS.get(section.name, "")
        if section.name == "entities" and section.shown is not None:
            holds = f"{counted(section.shown, 'name')} in the messages"
        if section.name == "history" and section.shown is not None:
            holds += f", its last result cut to {section.shown:,} characters"
        items = len(from_ranges(section.items))
        named = f"{items:,}: {section.items}" if items else ""
        rows.append(_row(Text(section.name, "type"), section.tokens, context.budget, holds, named))
    free = context.budget - context.tokens - context.reserve
    totals = (
        ("prompt", context.tokens, ""),
        ("reserve", context.reserve, "for the response"),
        ("free", free, ""),
    )
    rows += [_row(Text(name), tokens, context.budget, holds) for name, tokens, holds in totals]
    lines: list[Any] = [
        line((" · ".join(about), "quiet")),
        table(("part", "tokens", "of the budget", "holds", "items"), rows, right=(1,)),
    ]
    if context.estimated_tokens is not None:
        lines.append(
            Text(
                f"estimate of the provider's count, from earlier calls: {context.estimated_tokens:,} tokens",
                "quiet",
            )
        )
    if context.left_out:
        lines.append(Text("Left out", "heading"))
        left = [
            [f"{count:,}", REASONS.get(reason, reason.replace("_", " "))]
            for reason, count in context.left_out.items()
        ]
        lines.append(columns(left, right=(0,), indent=2))
    return Group(*lines)


def _row(name: Text, tokens: int, budget: int, holds: str, items: str = "") -> list[str | Text]:
    return [name, f"{tokens:,}", _share(tokens, budget), Text(holds, "quiet"), items]


def _share(tokens: int, budget: int) -> Text:
    share = tokens / budget if budget else 0.0
    filled = min(BAR, round(share * BAR))
    return Text.assemble(f"{share:>4.0%} ", ("█" * filled, "live"), ("·" * (BAR - filled), "quiet"))


def print_prompt(out: Console, context: Context) -> None:
    """Prints the prompt, message by message."""
    for heading, text in prompt_blocks(context):
        out.print(Rule(Text(one_line(heading), "type"), align="left", style="quiet"))
        paragraph(out, printable(text), indent=0)


def print_calls(out: Console, made: Reproduction) -> None:
    """Prints the calls that were made with a context, with their parameters."""
    for call in made.calls:
        given = "" if call.parameters is None else json.dumps(call.parameters, ensure_ascii=False)
        paragraph(out, (f"call {call.version}  ", "version"), one_line(f"{call.model} {given}"), indent=0)


def prompt_blocks(context: Context) -> Iterator[tuple[str, str]]:
    """The tools, and each message with its role."""
    for tool in context.tools or ():
        yield "tool", json.dumps(tool, ensure_ascii=False, indent=1)
    if context.text is not None:
        yield "prompt", context.text
        return
    if context.system:
        yield "system", _words(context.system)
    for message in context.messages:
        if "section" in message:
            place = f"item {message['item']}" if "item" in message else None
            heading = " · ".join(filter(None, (message["section"], place, message.get("role"))))
        else:
            heading = str(message.get("role", "message"))
        yield heading, _words(message)


def _words(piece: Any) -> str:
    """A provider's message, or a part of one, as plain text."""
    if piece is None:
        return ""
    if isinstance(piece, str):
        return piece
    if isinstance(piece, list):
        return "\n".join(filter(None, map(_words, piece)))
    if not isinstance(piece, dict):
        return json.dumps(piece, ensure_ascii=False)
    if "role" in piece or "section" in piece:
        return _message_words(piece)
    kind = piece.get("type", piece.get("kind"))
    if kind == "tool_use":
        arguments = piece["text"] if "text" in piece else json.dumps(piece.get("input"), ensure_ascii=False)
        return f"{piece.get('name')}({arguments})"
    if kind == "function":
        called = piece.get("function", {})
        return f"{called.get('name')}({called.get('arguments', '')})"
    if kind == "tool_result":
        return f"→ {_words(piece.get('content', piece.get('text')))}"
    if kind in ("thinking", "reasoning"):
        return f"(thinking) {_words(piece.get('thinking', piece.get('text')))}"
    for name in ("text", "refusal"):
        if isinstance(piece.get(name), str):
            return str(piece[name])
    return f"({kind or 'something else'})"


def _message_words(message: dict[str, Any]) -> str:
    said = [_words(message.get(name)) for name in ("content", "parts", "text", "refusal", "tool_calls")]
    lead = "→ " if message.get("role") == "tool" and "content" in message else ""
    return lead + "\n".join(filter(None, said))
