"""`/remember`, `/recall`, `/forget` and `/unpin`: notes that are in every context, and the memory of the project."""

from collections.abc import Sequence
from typing import Any

from backstory.application.chat.answers import Answer, CannotRun, CommandCall, quoted
from backstory.application.chat.references import MOST_LISTED, choose, id_of, shown_text
from backstory.application.chat.syntax import split_because
from backstory.application.memory.memories import Memory
from backstory.application.queries.hot_context import pinned_texts
from backstory.application.transaction import Transaction
from backstory.domain.records import Item

NOTE = "note"


def remember(call: CommandCall) -> Answer:
    """Saves a note that all agents share, and pins it, in one append. A session's project remembers it, too."""
    text = call.text("what to remember")

    def save_and_pin(tx: Transaction) -> tuple[Transaction, int]:
        # The block holds for exactly the state that it read, so the note's version is known before it is written.
        note = call.first or tx.state.version + 1
        tx.items.save(NOTE, text, private=False)
        return tx, tx.items.pin(note)

    tx, ticket = call.session.atomically(save_and_pin)
    pinned = tx.version_of(ticket)
    note = pinned - 1
    data: dict[str, Any] = {"item": note, "text": text}
    if call.state.labels.get("project") is not None:
        data["memory"] = call.session.memory.remember(text, items=[note])
    return Answer(f"{id_of('pinned item', note)} remembered: {text}", data, (note, pinned))


def recall(call: CommandCall) -> Answer:
    found = [
        one.memory for one in call.session.memory.recall(call.text("the query"), limit=MOST_LISTED).found
    ]
    return _listed(found, "The project remembers nothing of it.")


def candidates(call: CommandCall) -> Answer:
    """What waits to be confirmed or dismissed."""
    call.nothing_more()
    page = call.session.memory.project.memories(candidates=True, limit=MOST_LISTED)
    return _listed(page.memories, "No memory waits to be confirmed or dismissed.")


def confirm(call: CommandCall) -> Answer:
    memory = _memory(call.text("the memory"))
    version = call.session.memory.project.confirm(memory)
    return Answer(f"M{memory} is confirmed", {"memory": memory, "version": version})


def dismiss(call: CommandCall) -> Answer:
    written, why = split_because(call.written("the memory"))
    memory = _memory(written)
    version = call.session.memory.project.dismiss(memory, why)
    return Answer(f"M{memory} is dismissed", {"memory": memory, "version": version})


def forget(call: CommandCall) -> Answer:
    """Marks a memory as one that no longer holds."""
    written, why = split_because(call.written("the memory"))
    memory = _memory(written)
    version = call.session.memory.forget(memory, why)
    return Answer(f"M{memory} is forgotten", {"memory": memory, "version": version})


def _memory(written: str) -> int:
    number = written.strip().removeprefix("M").removeprefix("m")
    if not number.isdecimal() or len(number) > 10:
        raise CannotRun(f"the memory must be an id such as M12, got {quoted(written)}.")
    return int(number)


def _listed(found: Sequence[Memory], nothing: str) -> Answer:
    rows = [
        {
            "memory": memory.id,
            "kind": memory.kind,
            "title": memory.title,
            "text": memory.text,
            "at": memory.at.isoformat(),
            "by": memory.by,
            "sources": [
                {"session": str(source.session), "items": list(source.items)} for source in memory.sources
            ],
        }
        for memory in found
    ]
    lines = "\n".join(f"  M{memory.id}  {memory.at:%Y-%m-%d}  {shown_text(memory.text)}" for memory in found)
    return Answer(lines or nothing, {"memories": rows})


def unpin(call: CommandCall) -> Answer:
    item = choose("pinned item", call.text("the item"), _pinned(call))
    done = call.session.items.unpin(item)
    return Answer(f"{id_of('pinned item', item)} is no longer pinned", {"item": item}, (done,))


def _pinned(call: CommandCall) -> dict[int, str | None]:
    """The pinned items with their texts, except those private to others. One that left every window has none."""
    who, state = call.session._handle.provenance.actor, call.state
    pins = [pin for pin in sorted(state.pins) if not _is_private_to_others(state.items.get(pin), who)]
    return dict.fromkeys(pins) | {
        pin: text for pin, text in pinned_texts(state, call.contents).items() if pin in pins
    }


def _is_private_to_others(item: Item | None, who: str | None) -> bool:
    return item is not None and item.private and item.agent != who
