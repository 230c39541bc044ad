"""Runs a command: from its text to its answer."""

import hashlib
import logging
from difflib import get_close_matches
from typing import TYPE_CHECKING

from backstory.application.archive.due import archive_ended
from backstory.application.chat.answers import Answer, CannotRun, CommandCall, CommandResult, quoted
from backstory.application.chat.ideas import idea_is_loaded
from backstory.application.chat.syntax import Parsed, parse_command, words_of
from backstory.application.chat.table import HANDLERS
from backstory.application.files.live import sync_ended
from backstory.application.triggers.firing import fire_all
from backstory.domain.context_document.commands import OFFERS, RULES, is_available
from backstory.domain.errors import BackstoryError, InvalidInput, NotFound, Refused
from backstory.domain.state import ContextState

if TYPE_CHECKING:
    from backstory.application.session import Session

_LOGGER = logging.getLogger(__name__)


def run_command(session: "Session", text: str) -> CommandResult:
    """Runs a command. Errors of the input, missing things and refusals are answered in words and change nothing;
    conflicts and an unavailable database are raised."""
    parsed = parse_command(text)
    call = _call(session, parsed)
    try:
        answer = _answer(call, parsed)
    except CannotRun as refused:
        answer = refused.answer
        if parsed.offer is not None and answer.text:
            answer = Answer(f"{answer.text}\nUsage: {parsed.offer.usage}", answer.data, ok=False)
    except (InvalidInput, NotFound, Refused) as error:
        answer = Answer(str(error), {"error": error.code}, ok=False)
    if answer.ok and answer.events and not answer.counted:
        _count(call, parsed)
        _fire(session, call.state.version + 1)
    state = session.state if answer.events else call.state
    if state.status == "ended" != call.state.status:
        archive_ended(session._runtime, session.id)
        sync_ended(session._runtime, session.id)
    available = available_names(session, state)
    return CommandResult(answer.ok, answer.text, dict(answer.data), answer.events, parsed.typed, available)


def available_names(session: "Session", state: ContextState) -> tuple[str, ...]:
    """The commands that a state allows."""
    loaded = idea_is_loaded(session, state)
    return tuple(offer.command for offer in OFFERS if is_available(offer, state, idea_loaded=loaded))


def _call(session: "Session", parsed: Parsed) -> CommandCall:
    """The command with the state at its first run under the idempotency key: its references must not depend on its
    own effects."""
    key = session._handle.provenance.key
    earlier = None if key is None else session._runtime.log.earlier_append(session.id, key)
    if earlier is None:
        return CommandCall(session, session.state, parsed.argument)
    return CommandCall(session, session.at(earlier[0] - 1), parsed.argument, first=earlier[0])


def _answer(call: CommandCall, parsed: Parsed) -> Answer:
    offer = parsed.offer
    if offer is None:
        return _unknown(call, parsed.typed, parsed.argument)
    if not is_available(offer, call.state, idea_loaded=idea_is_loaded(call.session, call.state)):
        raise Refused(f"{offer.command} is available {RULES[offer.availability].words}.")
    return HANDLERS[offer.command](call)


def _count(call: CommandCall, parsed: Parsed) -> None:
    """Records that a command ran that changed the session. Only its name: what follows it is in the events that it led
    to, and is erased there."""
    assert parsed.offer is not None
    key = call.session._handle.key
    derived = None if key is None else hashlib.sha256(f"command {key}".encode()).hexdigest()
    call.session._with(key=derived).progress.command_executed(parsed.offer.command)


def _fire(session: "Session", first: int) -> None:
    """Fires what the command set off. If that fails, the command was run all the same, and a worker goes on."""
    try:
        fire_all(session._runtime, session.id, first)
    except BackstoryError as error:
        _LOGGER.warning("triggers of session %s are left to a worker: %s", session.id, error)


def _unknown(call: CommandCall, typed: str, written: str) -> Answer:
    names = [offer.command for offer in OFFERS]
    first = words_of(typed.lower())[0]
    group = [offer for offer in OFFERS if " " in offer.command and words_of(offer.command)[0] == first]
    near = get_close_matches(written.lower(), names, n=1, cutoff=0.5)
    hint = f" Did you mean {near[0]}?" if near else ""
    said = f"there is no command {quoted(typed)}.{hint}"
    listed = group or [
        offer for offer in OFFERS if offer.command in available_names(call.session, call.state)
    ]
    lines = "\n".join(f"  {offer.usage}  {offer.description}" for offer in listed)
    return Answer(f"{said}\n{lines}", {"nearest": near[0] if near else None}, ok=False)
