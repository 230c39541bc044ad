"""The read models of a state, as rows: what a fork begins with, and what the fold says that they should be."""

from typing import Any

from backstory.domain.lineage import Lineage
from backstory.domain.records import Item
from backstory.domain.state import ContextState


def item_row(item: Item) -> dict[str, Any]:
    """An item as its row in the items read model."""
    return {
        "item": item.id,
        "type": item.type,
        "tokens": item.tokens,
        "importance": item.importance,
        "tier": item.tier,
        "windows": list(item.windows),
        "brought_at": item.brought_at.isoformat(),
        "touched_at": item.touched_at.isoformat(),
        "accesses": item.accesses,
        "changed": item.changed,
        "agent": item.agent,
        "private": item.private,
        "task": item.task,
        "item_references": list(item.references) or None,
        "encoding": item.encoding,
        "recounts": item.recounts,
    }


def base_rows(state: ContextState, branch: Lineage) -> dict[str, Any]:
    """A state's live items, windows, labels and counts, each item with the stream that it came from."""
    return {
        "items": [item_row(item) | {"origin": str(branch.owner(item.id))} for item in state.items.values()],
        "windows": [
            {"name": name, "token_limit": window.limit, "encoding": window.encoding, "model": window.model}
            for name, window in state.windows.items()
        ],
        "labels": state.labels,
        "counts": state.counts,
    }
