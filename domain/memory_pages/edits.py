"""The edits that a person made to a page: what differs from what it was written with."""

from typing import NamedTuple

from backstory.domain.memory_pages.page import Entry, Page


class Edits(NamedTuple):
    """The edits of one page."""

    added: tuple[Entry, ...]
    changed: tuple[Entry, ...]
    """Entries that name a memory and read otherwise than it, or stand in another section."""
    removed: tuple[int, ...]
    """Memories whose entries are gone."""

    def __bool__(self) -> bool:
        return any(self)


def edits_of(page: Page) -> Edits:
    """Compares a page with its base. Of several entries that name one memory, the one that was not changed is it, else
    the first; the others were added. A changed entry that comes from a session counts as added."""
    known = {} if page.base is None else page.base.memories
    others = frozenset[str]() if page.base is None else page.base.others
    holders: dict[int, Entry] = {}
    for entry in page.entries:
        memory = entry.memory
        if memory not in known or memory is None:
            continue
        if memory not in holders or entry.digest == known[memory] != holders[memory].digest:
            holders[memory] = entry
    changed = [entry for memory, entry in holders.items() if entry.digest != known[memory]]
    holding = set(map(id, holders.values()))
    added = [
        entry
        for entry in page.entries
        if id(entry) not in holding and entry.digest not in others and not _repeats(entry, holders)
    ]
    removed = [memory for memory in known if memory not in holders]
    return Edits(tuple(added), tuple(changed), tuple(removed))


def _repeats(entry: Entry, holders: dict[int, Entry]) -> bool:
    """Whether an entry stands twice with the same words."""
    holder = None if entry.memory is None else holders.get(entry.memory)
    return holder is not None and holder.digest == entry.digest
