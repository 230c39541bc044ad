"""Looks through new messages for decisions and for things to remember."""

from collections.abc import Iterator, Sequence
from functools import partial
from itertools import islice
from typing import NamedTuple

from backstory.application.contents.items import ItemReader
from backstory.domain.context.history import newest_messages
from backstory.domain.context.taken_in import without_shown
from backstory.domain.decisions.memory_requests import asks_to_remember
from backstory.domain.decisions.statements import StatedDecision, stated_decisions
from backstory.domain.messages.contents import Message
from backstory.domain.policies.summary import SummaryPolicy
from backstory.domain.records import Item
from backstory.domain.state import ContextState
from backstory.domain.values import MAIN_WINDOW, Role

NOTICER = "notice/2"
MOST_AT_ONCE = 500
"""Messages and tool exchanges that are looked through at once: after an import of many, the newest."""


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
    new = _new_messages(state)
    messages = item_reader.loaded.messages

    def signs(item: Item, reply: bool) -> Signs:
        text, role = own_text(messages[item.id]), item.role or ""
        return Signs(stated_decisions(text, role, reply=reply), role == Role.USER and asks_to_remember(text))

    signs_by_item: dict[int, Signs] = {}
    for reply in (False, True):
        some = [item for item, to_agent in new if to_agent == reply]
        signs_by_item |= item_reader.derive(some, ("signs", NOTICER, reply), partial(signs, reply=reply))
    for item, _ in reversed(new):
        found = signs_by_item.get(item.id)
        if found is None:
            continue
        remember = found.remember and item.origin == "user" and item.id not in state.pins
        if found.decisions or remember:
            yield NoticedInMessage(item, found.decisions, remember)


def _new_messages(state: ContextState) -> list[tuple[Item, bool]]:
    """The messages since the last context, newest first, and whether each answers an agent: whether of those who spoke
    before it, the last one other than its speaker is an agent."""
    since = state.last_assembly.at if state.last_assembly is not None else 0
    new: list[tuple[Item, bool]] = []
    unanswered: list[Item] = []
    newest = newest_messages(state, MAIN_WINDOW, None, (), set())
    for _, item in islice(newest, MOST_AT_ONCE):
        if unanswered and _speaker(item) != _speaker(unanswered[0]):
            new += [(one, _is_of_agent(item)) for one in unanswered]
            unanswered = []
        if item.id > since and item.type == "message" and item.role in (Role.USER, Role.AGENT):
            unanswered.append(item)
        elif item.id <= since and not unanswered:
            break
    return new + [(one, False) for one in unanswered]


def _speaker(item: Item) -> tuple[bool, str | None]:
    return _is_of_agent(item), item.agent


def _is_of_agent(item: Item) -> bool:
    return item.type == "tool_exchange" or item.role == Role.AGENT


def own_text(messages: Sequence[Message]) -> str:
    """The text parts of messages, without what tools were asked or answered, and without memories that Backstory has
    put there."""
    parts = [part for message in messages for part in message.parts if part.kind == "text"]
    return without_shown("\n".join(part.data.decode(errors="replace") for part in parts))
