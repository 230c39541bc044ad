"""Events as lines: the mark of their branch, and their text in a few words."""

from collections import Counter
from collections.abc import Callable, Iterable
from typing import Any
from uuid import UUID

from backstory.application.queries.event_contents import NamedContent, payload_of
from backstory.application.queries.history import LogEntry
from backstory.domain.text.printable import printable
from backstory.interfaces.cli.output.text import Text
from backstory.interfaces.documents.events import text_of, words_of
from backstory.interfaces.wording import clock, counted, dollars, one_line, short_id, without_headings

TYPE_WIDTH = 19
TIME_FROM = 96
"""Columns from which a line has room for the time."""


def rail(entry: LogEntry) -> Text:
    """The mark of an event's branch: the one that leads to the newest version, or another.

    Two lanes are enough for any history: in the order of versions, every event is either on the current
    branch or not, and a backtrack says itself where it goes on from.
    """
    lane = "inherited" if entry.inherited else "live"
    if entry.live:
        return Text("●  ", lane)
    return Text.assemble(("├─" if entry.strays else "│ ", lane), ("○", "abandoned"))


def event_line(entry: LogEntry, width: int, *, mark: str = " ") -> Text:
    """One event on one line of this many columns."""
    line = Text(mark)
    line.append_text(rail(entry))
    line.append(f" {entry.version:>3}  ", "version" if entry.live else "abandoned")
    if width >= TIME_FROM:
        line.append(clock(entry.event.occurred_at) + "  ", "quiet")
    line.append(f"{entry.event.type:<{TYPE_WIDTH}} ", _style(entry))
    line.append_text(spoken(entry))
    line.no_wrap = True
    line.truncate(width, overflow="ellipsis")
    return line


def _style(entry: LogEntry) -> str:
    if entry.event.effects.resumes is not None:
        return "branch_point"
    return "type" if entry.live else "abandoned"


def spoken(entry: LogEntry) -> Text:
    """The speaker and the text, on one line."""
    words = one_line(said_in(entry))
    speaker = entry.event.actor or payload(entry).get("role")
    line = Text(style="" if entry.live else "abandoned")
    if speaker:
        line.append(f"{one_line(str(speaker))}: " if words else one_line(str(speaker)), "quiet")
    line.append(words)
    return line


def full_text(contents: Iterable[NamedContent]) -> str:
    """Everything an event says, with its line breaks."""
    named = [
        (content.field, words_of(content)) for content in contents if not content.field.endswith("extras")
    ]
    if len(named) == 1 or all(field.startswith("parts.") for field, _ in named):
        return printable("\n".join(text for _, text in named))
    return printable("\n".join(f"{field}: {text}" for field, text in named))


def payload(entry: LogEntry) -> dict[str, Any]:
    found = payload_of(entry.event)
    return found if isinstance(found, dict) else {}


def said_in(entry: LogEntry) -> str:
    """The text of an event, phrased by its type."""
    fields, texts = payload(entry), _texts(entry.contents)
    phrase = _PHRASES.get(entry.event.type)
    if phrase is not None:
        return phrase(fields, texts)
    spoken = text_of(entry.contents)
    return spoken or ", ".join(f"{name} {_brief(value)}" for name, value in fields.items() if _plain(value))


def _texts(contents: Iterable[NamedContent]) -> dict[str, str]:
    return {content.field: words_of(content) for content in contents}


def _plain(value: Any) -> bool:
    return isinstance(value, str | int | float | bool) or (
        isinstance(value, list) and all(isinstance(one, str | int | float) for one in value)
    )


def _brief(value: Any) -> str:
    return ", ".join(map(str, value)) if isinstance(value, list) else str(value)


def _after(lead: str, words: str | None) -> str:
    return f"{lead}: {words}" if words else lead


def _about(field: str, text: str = "") -> Callable[[dict[str, Any], dict[str, str]], str]:
    """A phrase that names what the event is about, then says why."""
    return lambda fields, texts: _after(f"{field} {_brief(fields.get(field, '?'))}", texts.get(text))


def _became(fields: dict[str, Any]) -> str:
    """The number of imported lines of each kind that are only kept."""
    kept = Counter(
        line.get("kind")
        for line in fields.get("lines", ())
        if line.get("contents") and not any(line.get("events", {}).values())
    )
    return (
        ", ".join(f"{number:,} × {kind}" for kind, number in kept.items())
        or "all of them messages and the like"
    )


def _decided(fields: dict[str, Any], texts: dict[str, str]) -> str:
    words = " — ".join(texts[name] for name in ("text", "rationale") if name in texts)
    if "candidate" in fields:
        return f"{words} (candidate {fields['candidate']})"
    return f"{words} (noticed in {fields['source']})" if "source" in fields else words


def _assembled(fields: dict[str, Any], texts: dict[str, str]) -> str:
    """A context: tokens, budget, format and recipient."""
    lead = f"{fields.get('tokens', 0):,} of {fields.get('budget', 0):,} tokens as {fields.get('format')}"
    left_out = sum(fields.get("left_out", {}).values())
    said = [
        f"{lead}, of version {fields.get('at')}",
        f"window {fields['window']}" if "window" in fields else "",
        f"for {fields['agent']}" if "agent" in fields else "",
        f"policy {fields['policy']}" if fields.get("policy", "default") != "default" else "",
        f"{counted(left_out, 'item')} left out" if left_out else "",
        f"asked for: {texts['query']}" if "query" in texts else "",
    ]
    return " · ".join(filter(None, said))


def _called(fields: dict[str, Any], texts: dict[str, str]) -> str:
    """A call of a model: with which context, what it took, what it cost."""
    cached = f" ({fields['cached_tokens']:,} cached)" if fields.get("cached_tokens") else ""
    context = f" with context {fields['assembly']}" if "assembly" in fields else ""
    said = [
        f"{fields.get('model')}{context}",
        f"{fields['input_tokens']:,} tokens in{cached}" if "input_tokens" in fields else "",
        f"{fields['output_tokens']:,} out" if "output_tokens" in fields else "",
        dollars(fields["cost_usd"]) if "cost_usd" in fields else "",
        f"{fields['latency_ms'] / 1000:.1f} s" if "latency_ms" in fields else "",
        str(fields.get("stop_reason", "")),
        f"led to {fields['message']}" if "message" in fields else "",
        f"failed: {texts['error']}" if "error" in texts else "",
    ]
    return " · ".join(filter(None, said))


def _compacted(fields: dict[str, Any], texts: dict[str, str]) -> str:
    """The items that left, the algorithm, and the tokens before and after."""
    gone = [f"{name} {fields[name]}" for name in ("summarized", "dropped") if fields.get(name)]
    saved = f"{fields.get('tokens_before', 0):,} → {fields.get('tokens_after', 0):,} tokens"
    lead = ", ".join([*gone, saved, f"algorithm {fields.get('algorithm')}"])
    return _after(lead, without_headings(texts.get("summary", "")))


def _summed_up(fields: dict[str, Any], texts: dict[str, str]) -> str:
    maker = f"{fields.get('summarizer')}" + (f" ({fields['model']})" if "model" in fields else "")
    lead = f"all up to {fields.get('upto')}, by {maker}"
    instead = f", since {texts['fallback']}" if "fallback" in texts else ""
    return _after(lead + instead, without_headings(texts.get("text", "")))


def _tiers(fields: dict[str, Any], texts: dict[str, str]) -> str:
    moved = "; ".join(f"{tier}: {items}" for tier, items in fields.get("changes", {}).items())
    return f"{moved} (policy {fields.get('policy')})"


def _policy(fields: dict[str, Any], texts: dict[str, str]) -> str:
    numbers = ", ".join(f"{name} {value}" for name, value in fields.get("settings", {}).items())
    return f"{fields.get('kind')} policy {fields.get('name')}" + (f": {numbers}" if numbers else "")


def _alerted(fields: dict[str, Any], texts: dict[str, str]) -> str:
    used = fields.get("tokens", 0) + fields.get("next_tokens", 0)
    return (
        f"{fields.get('level')}: {used:,} of {fields.get('limit', 0):,} tokens ({fields.get('ratio', 0):.0%})"
    )


def _planned(fields: dict[str, Any], texts: dict[str, str]) -> str:
    saved = f"{fields.get('tokens_before', 0):,} → {fields.get('tokens_after', 0):,} tokens"
    return f"to leave: {fields.get('dropped')}, {saved}"


def _kept_set(fields: dict[str, Any], texts: dict[str, str]) -> str:
    return f"{fields.get('tier')} items {fields.get('items') or 'none'}"


def _stubbed(fields: dict[str, Any], texts: dict[str, str]) -> str:
    saved = f"{fields.get('tokens_before', 0):,} → {fields.get('tokens_after', 0):,} tokens"
    return f"results of {fields.get('items')} left out, {saved}"


_PHRASES: dict[str, Callable[[dict[str, Any], dict[str, str]], str]] = {
    "session.backtracked": lambda fields, texts: _after(f"↶ back to {fields.get('to')}", texts.get("why")),
    "session.forked": lambda fields, texts: _after(
        f"↳ from {short_id(UUID(fields['parent']))} at {fields.get('at')}",
        texts.get("title") or texts.get("why"),
    ),
    "decision.recorded": _decided,
    "decision.noticed": _decided,
    "decision.confirmed": _decided,
    "decision.dismissed": _about("candidate", "why"),
    "context.assembled": _assembled,
    "material.gathered": lambda fields, texts: f"for task {fields.get('task')}",
    "files.recorded": lambda fields, texts: counted(len(texts), "text") + " of files",
    "context.released": lambda fields, texts: f"of {fields['agent']}" if "agent" in fields else "",
    "model.called": _called,
    "policy.chosen": _policy,
    "window.alerted": _alerted,
    "prune.planned": _planned,
    "working_set.kept": _kept_set,
    "results.stubbed": _stubbed,
    "results.restored": _about("items"),
    "compaction.undone": _about("compaction"),
    "tiers.reassigned": _tiers,
    "summary.made": _summed_up,
    "items.compacted": _compacted,
    "item.pinned": _about("item", "why"),
    "item.unpinned": _about("item"),
    "prompt.set": lambda fields, texts: texts.get("text", ""),
    "goal.updated": _about("goal", "text"),
    "goal.completed": _about("goal"),
    "question.answered": _about("question", "answer"),
    "action.blocked": _about("action", "by"),
    "constraint.removed": _about("constraint", "why"),
    "item.deprecated": _about("item", "why"),
    "items.removed": _about("items", "why"),
    "context.cleared": _about("items", "why"),
    "clear.undone": _about("clear"),
    "error.resolved": _about("item", "how"),
    "lines.imported": lambda fields, texts: (
        f"{counted(len(fields.get('lines', ())), 'line')} of {fields.get('file')}, {_became(fields)}"
    ),
    "content.erased": lambda fields, texts: _after(
        f"item {fields.get('item')}, {counted(len(fields.get('erased', ())), 'content')}", texts.get("why")
    ),
}
