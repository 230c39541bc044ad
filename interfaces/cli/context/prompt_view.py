"""An assembled context as people read it: what it is made of, what was left out, and the prompt."""

import json
from collections.abc import Iterator
from typing import Any

from rich.console import Console, Group
from rich.rule import Rule

from backstory.application.context.result import Context
from backstory.domain.log.ranges import from_ranges
from backstory.interfaces.cli.output.layout import columns, paragraph
from backstory.interfaces.cli.output.text import Text
from backstory.interfaces.wording import counted, one_line, printable

BAR = 12
"""Characters of a bar that stands for the whole budget."""

PARTS = {
    "frame": "what stands around the parts",
    "system": "system prompt",
    "rules": "constraints, newest decisions, task",
    "pins": "what is pinned",
    "summary": "session summary",
    "history": "recent conversation",
    "state": "goals, actions, open questions",
    "entities": "what the messages mention",
    "older": "older items",
}
"""What each part of a context holds."""

REASONS = {
    "open_call": "waiting for a tool's result",
    "erased": "erased",
    "unimportant": "among the recent messages, but saying too little",
    "pins_over_share": "pinned, but without room",
    "summary_over_share": "the summary, without room",
    "state_over_share": "goals, actions or questions without room",
    "older": "older: others mattered more, or there was no room",
}
"""Why items are left out of a context."""


def context_view(context: Context) -> Group:
    """What a context is made of, and what is not in it."""
    recorded = (
        f"context {context.version}" if context.version is not None else "a preview: nothing was recorded"
    )
    about = [
        recorded,
        f"of version {context.at}",
        context.format,
        f"{len(context.data):,} bytes",
        f"sha256 {context.sha256[:12]}…",
    ]
    rows: list[list[str | Text]] = [
        [Text(name, "quiet") for name in ("part", "tokens", "of the budget", "holds", "items")]
    ]
    for section in context.sections:
        holds = PARTS.get(section.name, "")
        if section.shown is not None:
            holds = f"{counted(section.shown, 'entity')} that they mention"
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
    lines: list[Any] = [Text(" · ".join(about), "quiet"), columns(rows, right=(1,), indent=0)]
    if context.estimated_tokens is not None:
        lines.append(
            Text(
                f"the provider will probably count {context.estimated_tokens:,} tokens: earlier calls tell",
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
    """The prompt, message by message."""
    for heading, text in prompt_blocks(context):
        out.print(Rule(Text(one_line(heading), "type"), align="left", style="quiet"))
        paragraph(out, printable(text), indent=0)


def prompt_blocks(context: Context) -> Iterator[tuple[str, str]]:
    """Each message with who says it."""
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
    """What a provider's message, or a part of one, says in plain words."""
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
