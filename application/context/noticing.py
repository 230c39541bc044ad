"""Looks through new messages for decisions and for things to remember."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from backstory.application.contents.items import ItemReader
from backstory.domain.context.history import newest_messages
from backstory.domain.decisions.memory_requests import asks_to_remember
from backstory.domain.decisions.statements import StatedDecision, stated_decisions
from backstory.domain.messages.contents import Message
from backstory.domain.policies.summary import SummaryPolicy
from backstory.domain.records import Item
from backstory.domain.state import ContextState
from backstory.domain.values import MAIN_WINDOW

NOTICER = "notice/1"
MOST_AT_ONCE = 500
"""Messages that are looked through at once: after an import of many, the newest."""


class Signs(NamedTuple):
    """The decisions in a text, and whether it asks to be remembered."""

    decisions: tuple[StatedDecision, ...]
    remember: bool


class NoticedInMessage(NamedTuple):
    """The new decisions in one message, and whether it is to be pinned."""

    item: Item
    decisions: tuple[StatedDecision, ...]
    remember: bool


def is_due(state: ContextState, policy: SummaryPolicy) -> bool:
    """Whether enough messages came since the session was last summed up."""
    before = state.summary.messages if state.summary is not None else 0
    return state.message_count - before >= policy.every


def look_through(item_reader: ItemReader) -> list[NoticedInMessage]:
    """The messages since the last context that have something to be noticed, oldest first. A decision that is said
    again is not decided again."""
    state = item_reader.loaded.state
    messages = list(_with_signs(state, item_reader))
    if not any(message.decisions for message in messages):
        return messages
    said_before = [note.id for note in state.decisions] + [note.id for note in state.candidates]
    item_reader.versions(said_before)
    known = {_normalized(item_reader.loaded.texts.get((version, 0), "")) for version in said_before}
    new: list[NoticedInMessage] = []
    for message in messages:
        decisions = {
            text: noticed for noticed in message.decisions if (text := _normalized(noticed.text)) not in known
        }
        known |= set(decisions)
        if decisions or message.remember:
            new.append(message._replace(decisions=tuple(decisions.values())))
    return new


def _normalized(text: str) -> str:
    return " ".join(text.casefold().split()).rstrip(".!")


def _with_signs(state: ContextState, item_reader: ItemReader) -> Iterator[NoticedInMessage]:
    since = state.last_assembly.at if state.last_assembly is not None else 0
    new: list[Item] = []
    for _, item in newest_messages(state, MAIN_WINDOW, None, (), set()):
        if item.id <= since or len(new) == MOST_AT_ONCE:
            break
        if item.type == "message" and item.role in ("user", "agent"):
            new.append(item)
    messages = item_reader.loaded.messages
    signs_by_item = item_reader.derive(
        new, ("signs", NOTICER), lambda item: _signs_in(messages[item.id], item.role or "")
    )
    for item in reversed(new):
        signs = signs_by_item.get(item.id)
        if signs is None:
            continue
        remember = signs.remember and item.id not in state.pins
        if signs.decisions or remember:
            yield NoticedInMessage(item, signs.decisions, remember)


def _signs_in(messages: Sequence[Message], role: str) -> Signs:
    text = own_text(messages)
    return Signs(stated_decisions(text, role), role == "user" and asks_to_remember(text))


def own_text(messages: Sequence[Message]) -> str:
    """The text parts of messages, without what tools were asked or answered."""
    parts = [part for message in messages for part in message.parts if part.kind == "text"]
    return "\n".join(part.data.decode(errors="replace") for part in parts)
