"""`/remember` and `/unpin`: notes that are in every context."""

from backstory.application.chat.answers import Answer, CommandCall
from backstory.application.chat.references import choose, id_of
from backstory.application.contents.source import message_of
from backstory.application.transaction import Transaction
from backstory.domain.errors import ContentErased
from backstory.domain.records import Item

NOTE = "note"


def remember(call: CommandCall) -> Answer:
    """Saves a note that all agents share, and pins it, in one append."""
    text = call.text("what to remember")

    def save_and_pin(tx: Transaction) -> tuple[Transaction, int]:
        # The block holds for exactly the state that it read, so the note's version is known before it is written.
        note = call.first or tx.state.version + 1
        tx.items.save(NOTE, text, private=False)
        return tx, tx.items.pin(note)

    tx, ticket = call.session.atomically(save_and_pin)
    pinned = tx.version_of(ticket)
    note = pinned - 1
    return Answer(
        f"{id_of('pinned item', note)} remembered: {text}", {"item": note, "text": text}, (note, pinned)
    )


def unpin(call: CommandCall) -> Answer:
    item = choose("pinned item", call.text("the item"), _pinned(call))
    done = call.session.items.unpin(item)
    return Answer(f"{id_of('pinned item', item)} is no longer pinned", {"item": item}, (done,))


def _pinned(call: CommandCall) -> dict[int, str | None]:
    """The pinned items with their texts, except those private to others."""
    who = call.session._handle.provenance.actor
    items = call.state.items
    pins = [pin for pin in sorted(call.state.pins) if not _is_private_to_others(items.get(pin), who)]
    live = [items[pin] for pin in pins if pin in items]
    versions = [version for item in live for version in item.versions]
    events, held = call.contents.events_and_bytes(versions)
    texts: dict[int, str | None] = dict.fromkeys(pins)
    for item in live:
        try:
            parts = message_of(events[item.versions[0]], held).parts
        except ContentErased:
            continue
        texts[item.id] = "\n".join(
            part.data.decode(errors="replace") for part in parts if part.media_type.startswith("text/")
        )
    return texts


def _is_private_to_others(item: Item | None, who: str | None) -> bool:
    return item is not None and item.private and item.agent != who
