"""New messages looked through for decisions and for what is to be remembered."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from backstory.application.contents.items import ItemReader
from backstory.domain.context.history import newest_said
from backstory.domain.decisions.memory_requests import asks_to_remember
from backstory.domain.decisions.statements import StatedDecision, stated_decisions
from backstory.domain.messages.contents import Message
from backstory.domain.policies.assembly import AssemblyPolicy
from backstory.domain.policies.summary import SummaryPolicy
from backstory.domain.records import Item
from backstory.domain.state import ContextState
from backstory.domain.values import MAIN_WINDOW

NOTICER = "notice/1"
MOST_AT_ONCE = 500
"""Messages that are looked through in one go: after an import of many, the newest."""


SIGNS = ("signs", NOTICER)
"""Under which what follows from a message is kept."""


class Signs(NamedTuple):
    """What a text gives to be noticed."""

    decisions: tuple[StatedDecision, ...]
    remember: bool


class InMessage(NamedTuple):
    """What one message holds."""

    item: Item
    decisions: tuple[StatedDecision, ...]
    remember: bool


def has_to_track(item_reader: ItemReader, policy: AssemblyPolicy, summary: SummaryPolicy | None) -> bool:
    """Whether there is something to be noticed, or it is time to sum up."""
    state = item_reader.material.state
    if summary is not None and is_due(state, summary):
        return True
    if not policy.notice:
        return False
    found = look_through(state, item_reader)
    # Whoever makes the context without looking does not know of these.
    item_reader.erased.clear()
    return bool(found)


def is_due(state: ContextState, policy: SummaryPolicy) -> bool:
    """Whether enough was said since the session was last summed up."""
    told = state.summary.messages if state.summary is not None else 0
    return state.message_count - told >= policy.every


def look_through(state: ContextState, item_reader: ItemReader) -> list[InMessage]:
    """The messages since the last context that have something to be noticed, oldest first. What was decided before is
    not decided again by being said again."""
    found = list(_with_signs(state, item_reader))
    if not any(one.decisions for one in found):
        return found
    item_reader.versions(note.id for note in state.decisions)
    known = {_plain(item_reader.material.texts.get((note.id, 0), "")) for note in state.decisions}
    new: list[InMessage] = []
    for one in found:
        fresh = {
            _plain(noticed.text): noticed for noticed in one.decisions if _plain(noticed.text) not in known
        }
        known |= set(fresh)
        if fresh or one.remember:
            new.append(one._replace(decisions=tuple(fresh.values())))
    return new


def _plain(text: str) -> str:
    return " ".join(text.casefold().split()).rstrip(".!")


def _with_signs(state: ContextState, item_reader: ItemReader) -> Iterator[InMessage]:
    since = state.last_assembly.at if state.last_assembly is not None else 0
    new: list[Item] = []
    for _, item in newest_said(state, MAIN_WINDOW, None, (), set()):
        if item.id <= since or len(new) == MOST_AT_ONCE:
            break
        if item.type == "message" and item.role in ("user", "agent"):
            new.append(item)
    said = item_reader.material.messages
    found = item_reader.kept_of(new, SIGNS, lambda item: signs_in(said[item.id], item.role or ""))
    for item in reversed(new):
        signs = found.get(item.id)
        if signs is None:
            continue
        remember = signs.remember and item.id not in state.pins
        if signs.decisions or remember:
            yield InMessage(item, signs.decisions, remember)


def signs_in(messages: Sequence[Message], role: str) -> Signs:
    """What the messages of one item give to be noticed."""
    text = own_text(messages)
    return Signs(stated_decisions(text, role), role == "user" and asks_to_remember(text))


def own_text(messages: Sequence[Message]) -> str:
    """What was said in words, without what tools were asked or answered."""
    parts = [part for message in messages for part in message.parts if part.kind == "text"]
    return "\n".join(part.data.decode(errors="replace") for part in parts)
