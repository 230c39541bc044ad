"""States and the differences between them, as people read them."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from rich.console import Group

from backstory.application.branches.diff import Diff
from backstory.application.queries.history import ReplayStep
from backstory.application.queries.readable_state import ReadableState
from backstory.domain.records import Item
from backstory.domain.state import ContextState
from backstory.interfaces.cli.output.layout import columns, earlier_line, line
from backstory.interfaces.cli.output.text import Text
from backstory.interfaces.documents.events import text_of
from backstory.interfaces.wording import (
    ERASED,
    counted,
    dollars,
    moment,
    one_line,
    short_id,
    shortened,
    signed,
    usage,
    without_headings,
)

SECTION_ROWS = 10
"""Rows of each section of a state or a difference, unless another number is asked for."""
COME, GONE, ALTERED = ("+", "come"), ("−", "gone"), ("~", "altered")


def state_view(
    readable: ReadableState, name: str, newest: int | None = None, limit: int | None = None
) -> Group:
    """A state from its title, else what its session is called, to its live items. Of each section, the newest rows."""
    state = readable.state
    place = f"version {state.version}" + (f" of {newest}" if newest and newest != state.version else "")
    about = [
        short_id(state.stream),
        place,
        state.status,
        f"epoch {state.epoch}",
        moment(state.last_activity) + " UTC",
    ]
    lines: list[Any] = [
        Text(
            one_line(readable.title) if readable.title else name, "heading", no_wrap=True, overflow="ellipsis"
        ),
        Text(" · ".join(about), "quiet"),
    ]
    lines += [
        Text(
            f"window {name}: {usage(window.tokens, window.limit)} in {counted(window.items, 'item')}", "quiet"
        )
        for name, window in state.windows.items()
    ]
    facts = {
        "project": state.project.name if state.project else None,
        "phase": state.phase,
        "task": state.current_task,
        "tags": ", ".join(state.tags),
        "agents": ", ".join(state.agents),
        "open calls": ", ".join(state.open_calls),
        "newest context": _newest_context(state),
        "model calls": _calls(state),
    }
    lines += [Text(f"{name}: {value}", "quiet") for name, value in facts.items() if value]
    for heading, rows in _sections(readable):
        lines += [Text(), Text(heading, "heading"), *_newest_rows(rows, limit, (0, 2))]
    return Group(*lines)


def _newest_rows(rows: Sequence[Sequence[Text]], limit: int | None, right: Iterable[int]) -> Iterator[Any]:
    """The last rows of a section, below a line that says how many are before them."""
    most = limit or SECTION_ROWS
    earlier = len(rows) - most
    if earlier > 0:
        yield line(earlier_line(earlier, most, "rows"), indent=2)
    yield columns(rows[-most:], right, indent=2)


def _newest_context(state: ContextState) -> str | None:
    newest = state.last_assembly
    if newest is None:
        return None
    return f"{newest.version}, of version {newest.at}, {newest.tokens:,} of {newest.budget:,} tokens"


def _calls(state: ContextState) -> str | None:
    """The number of model calls, their tokens and costs."""
    counters = state.counters
    calls = counters.get("model_calls", 0)
    if not calls:
        return None
    cost = counters.get("cost_microdollars", 0)
    used = (
        f"{calls:,}, {counters.get('input_tokens', 0):,} tokens in, {counters.get('output_tokens', 0):,} out"
    )
    return used + (f", {dollars(cost / 1_000_000)}" if cost else "")


def _sections(readable: ReadableState) -> Iterator[tuple[str, list[list[Text]]]]:
    state = readable.state
    listed = {
        "Goals": [(key, note.priority, note.text) for key, note in state.goals.items()],
        "Open questions": [(key, note.priority, note.text) for key, note in state.questions.items()],
        "Actions": [(key, note.priority, note.text) for key, note in state.actions.items()],
        "Constraints": [(key, "holds", text) for key, text in state.constraints.items()],
    }
    for heading, note in listed.items():
        if note:
            yield heading, [_row(key, kind, _line(readable.text(text))) for key, kind, text in note]
    if state.decisions:
        heading = "Decisions" if state.decision_count == len(state.decisions) else "Newest decisions"
        yield (
            heading,
            [
                _row(
                    note.id,
                    note.priority,
                    one_line(text_of(readable.said_at(note.id))),
                )
                for note in state.decisions
            ],
        )
    if state.candidates:
        yield (
            "Candidates: decisions noticed, not confirmed",
            [
                _row(note.id, f"noticed in {note.noticed_in}", one_line(text_of(readable.said_at(note.id))))
                for note in state.candidates
            ],
        )
    if state.summary is not None:
        told = without_headings(text_of(readable.said_at(state.summary.item)))
        yield "Summary", [_row(state.summary.item, f"up to {state.summary.upto}", one_line(told))]
    pinned = [state.items[pin] for pin in state.pins if pin in state.items]
    if pinned:
        yield (
            "Pinned",
            [_row(item.id, item.type, one_line(text_of(readable.said_by(item)))) for item in pinned],
        )
    if state.items:
        yield "Live items", [_item_row(item, readable) for item in state.items.values()]


def _line(text: str | None) -> str:
    return ERASED if text is None else one_line(text)


def _row(key: int, kind: str, words: str) -> list[Text]:
    return [Text(str(key)), Text(kind, "type"), Text(words)]


def _item_row(item: Item, readable: ReadableState) -> list[Text]:
    """An item: its id, type, tokens, speaker and text."""
    who = item.agent or item.role
    words = Text(f"{one_line(who)}: " if who else "", "quiet")
    words.append(one_line(text_of(readable.said_by(item))), "not dim default")
    return [Text(str(item.id)), Text(item.type, "type"), Text(f"{item.tokens:,}", "quiet"), words]


def diff_view(diff: Diff, before: ReadableState, after: ReadableState, limit: int | None = None) -> Group:
    """Items that were added, left or changed, by kind, and the tokens of the windows."""
    lines: list[Any] = [
        Text.assemble(
            (f"version {diff.from_version}", "version"), " → ", (f"version {diff.to_version}", "version")
        )
    ]
    lines += [
        Text.assemble(
            (f"window {name}: ", "quiet"),
            f"{old:,} → {new:,} tokens ",
            (f"({signed(new - old)})", "come" if new >= old else "gone"),
        )
        for name, (old, new) in diff.tokens.items()
    ]
    lines += _beside_items(before.state, after.state)
    out = [(GONE, item, before) for item in diff.items_out]
    come = [(COME, item, after) for item in diff.items_in]
    altered = [(ALTERED, item, after) for item in diff.items_changed]
    everything = [*out, *come, *altered]
    for heading, types in _KINDS.items():
        chosen = [row for row in everything if row[1].type in types]
        if chosen:
            everything = [row for row in everything if row[1].type not in types]
            lines += [Text(heading, "heading"), *_changes(chosen, limit)]
    if everything:
        lines += [Text("Other items", "heading"), *_changes(everything, limit)]
    if len(lines) == 1 + len(diff.tokens) and not diff.tokens_change:
        lines.append(Text("nothing changed", "quiet"))
    return Group(*lines)


def _beside_items(before: ContextState, after: ContextState) -> list[Text]:
    """Pins, and counts of contexts and calls, one line each."""
    lines = []
    pins = [(GONE, pin) for pin in before.pins if pin not in after.pins]
    pins += [(COME, pin) for pin in after.pins if pin not in before.pins]
    if pins:
        marks = [Text.assemble(mark, str(pin)) for mark, pin in pins]
        lines.append(Text.assemble(("pinned: ", "quiet"), Text(" ").join(marks)))
    counts = {
        name: (before.counters.get(key, 0), after.counters.get(key, 0)) for key, name in _COUNTS.items()
    }
    changed = [f"{name} {old:,} → {new:,}" for name, (old, new) in counts.items() if old != new]
    old, new = (state.counters.get("cost_microdollars", 0) / 1_000_000 for state in (before, after))
    changed += [f"cost {dollars(old)} → {dollars(new)}"] if old != new else []
    if changed:
        lines.append(Text(" · ".join(changed), "quiet"))
    return lines


_COUNTS = {
    "assemblies": "contexts",
    "compactions": "compactions",
    "model_calls": "model calls",
    "input_tokens": "tokens in",
    "output_tokens": "tokens out",
}


_KINDS = {
    "Decisions": ("decision",),
    "Goals and questions": ("goal", "question", "action", "constraint", "task"),
    "Messages and tool exchanges": ("message", "tool_exchange"),
}


def _changes(rows: Iterable[tuple[tuple[str, str], Item, ReadableState]], limit: int | None) -> Iterator[Any]:
    cells = [[Text(*mark), *_item_row(item, readable)] for mark, item, readable in rows]
    return _newest_rows(cells, limit, (1, 3))


def change_lines(step: ReplayStep, width: int) -> list[Text]:
    """The changes of one event, one a line."""
    diff = step.diff
    lines = _item_changes(GONE, diff.items_out, step.before, width)
    # A new item has the text of its event, so only its tokens are shown.
    lines += [
        Text.assemble(COME, f" {item.type} {item.id}", (f"  {counted(item.tokens, 'token')}", "quiet"))
        for item in diff.items_in
        if item.id == step.entry.version
    ]
    returned = [item for item in diff.items_in if item.id != step.entry.version]
    lines += _item_changes(COME, returned, step.after, width)
    old = step.before.state.items
    for item in diff.items_changed:
        lines.append(
            Text.assemble(ALTERED, f" {item.type} {item.id}", (f"  {_altered(old[item.id], item)}", "quiet"))
        )
    for name, (was, now) in step.facts.items():
        words = shortened(f"{name.replace('_', ' ')}: {_value(was)} → {_value(now)}", width - 2)
        lines.append(Text.assemble(ALTERED, f" {words}"))
    return lines


def _item_changes(
    mark: tuple[str, str], items: Iterable[Item], readable: ReadableState, width: int
) -> list[Text]:
    lines = []
    for item in items:
        lead = f" {item.type} {item.id}"
        said = shortened(text_of(readable.said_by(item)), max(10, width - len(lead) - 5))
        lines.append(Text.assemble(mark, lead, (f"  {said}", "quiet")))
    return lines


def _altered(old: Item, new: Item) -> str:
    if old.tokens != new.tokens:
        return f"{old.tokens:,} → {counted(new.tokens, 'token')}"
    if old.accesses != new.accesses:
        return f"{new.accesses:,} accesses"
    if old.windows != new.windows:
        return f"in {', '.join(new.windows) or 'no window'}"
    return f"{old.tier} → {new.tier}" if old.tier != new.tier else "changed"


def _value(value: Any) -> str:
    if value is None or value in ([], {}):
        return "none"
    if isinstance(value, list):
        return ", ".join(map(str, value))
    if isinstance(value, dict):
        return ", ".join(f"{name} {one:,}" for name, one in value.items())
    return str(value)


def totals(readable: ReadableState) -> str:
    """Items, tokens, goals, questions and decisions in numbers."""
    state = readable.state
    main = state.windows.get("main")
    parts = [
        counted(len(state.items), "item"),
        usage(state.tokens, main.limit if main else None),
        counted(len(state.goals), "goal") if state.goals else "",
        counted(len(state.questions), "question") if state.questions else "",
        counted(state.decision_count, "decision") if state.decision_count else "",
    ]
    return " · ".join(part for part in parts if part)
