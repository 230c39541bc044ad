"""The read models of a state, as rows: the start of a fork, and the expected rows of a check."""

from typing import Any

from backstory.domain.log.lineage import Lineage
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
        "origin": item.origin,
        "trust": item.trust,
        "quarantined": item.quarantined,
        "flags": list(item.flags),
    }


def base_rows(state: ContextState, branch: Lineage) -> dict[str, Any]:
    """A state's live items, windows, labels and counts, each item with the stream that it came from."""
    return {
        "items": [
            item_row(item) | {"brought_in": str(branch.owner(item.id))} for item in state.items.values()
        ],
        "summary": summary_of(state),
    }


def summary_of(state: ContextState) -> dict[str, Any]:
    """A state's labels, windows and tallies, as the stream's row keeps them."""
    return {
        "labels": state.labels,
        "windows": {
            name: _without_nones({"limit": window.limit, "encoding": window.encoding, "model": window.model})
            for name, window in state.windows.items()
        },
        **{f"type:{type_}": count for type_, count in state.counts.items()},
        **{f"items:{name}": window.items for name, window in state.windows.items()},
        **{f"tokens:{name}": window.tokens for name, window in state.windows.items()},
    }


def item_counts(summary: dict[str, Any]) -> dict[str, int]:
    """The number of items of each type on a stream's branch, from its summary."""
    return {key.removeprefix("type:"): count for key, count in summary.items() if key.startswith("type:")}


def _without_nones(settings: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in settings.items() if value is not None}
