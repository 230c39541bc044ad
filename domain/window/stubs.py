"""Stubs: what stands for the results of an old tool exchange. The call and each result stay, with the same ids, so that
every provider takes the conversation as before; only the results' texts are left out.

How a stub is worded belongs to the renderers: it never changes, or past contexts could not be made again.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from backstory.domain.contents import Message, Part
from backstory.domain.formats.prose import result_text
from backstory.domain.formats.shapes import TEXT, shape_in
from backstory.domain.policies.window import WindowPolicy
from backstory.domain.records import Item
from backstory.domain.state import ContextState
from backstory.domain.tracking.entities import extract_names
from backstory.domain.window.essentials import SAID, minimal_items

MOST_NAMES = 12
"""Names that a stub keeps of the results it leaves out, so that the model still knows what it has seen."""
LONGEST_NAME = 80
_KINDS = ("file", "error", "class", "function", "url")
"""What is named, the most telling first."""


def stub_candidates(state: ContextState, window: str, policy: WindowPolicy) -> list[int]:
    """Tool exchanges whose results may be shown as stubs: old enough, answered, not pinned, worth it, and whole yet."""
    said = [item for item in state.live(window) if item.type in SAID]
    old = said[: max(0, len(said) - policy.stub_results_older_than)]
    # A stub stays in the window with its call, so that recent messages may be stubs where the policy says so.
    apart = minimal_items(state, window, policy)
    return [
        item.id
        for item in old
        if item.type == "tool_exchange"
        and item.id not in apart
        and not item.is_stub
        and len(item.versions) > 1
        and item.tokens >= policy.stub_least_tokens
    ]


def stubbed(item: Item, messages: Sequence[Message]) -> tuple[Message, ...]:
    """What the exchange says with its results left out. A result that is shorter than its stub stays."""
    return tuple(
        replace(message, parts=tuple(_stubbed_part(item, part) for part in message.parts))
        for message in messages
    )


def _stubbed_part(item: Item, part: Part) -> Part:
    # What a provider's own tools answer has a shape of its own, which the provider checks.
    if part.kind != "tool_result" or shape_in(part).get("type", "tool_result") != "tool_result":
        return part
    text = result_text(part)
    stub = f"[result left out; item {item.id}, {item.tokens} tokens, has it{_named(text)}]"
    if len(stub) >= len(text):
        return part
    return replace(part, data=stub.encode(), media_type=TEXT)


def _named(text: str) -> str:
    found = Counter(mention for mention in extract_names(text) if mention.kind in _KINDS)
    # Counters keep the order of appearance, and sorting keeps the order of equals.
    ranked = sorted(found, key=lambda mention: (_KINDS.index(mention.kind), -found[mention]))
    names = [name for mention in ranked if len(name := mention.name) <= LONGEST_NAME and name.isprintable()]
    return f"; it names {', '.join(dict.fromkeys(names[:MOST_NAMES]))}" if names else ""
