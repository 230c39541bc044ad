"""Commands on the session as a whole that look at its state first."""

from backstory.domain.commands import facts
from backstory.domain.errors import Refused, SessionNotOpen
from backstory.domain.log.guards import Decided, Guard
from backstory.domain.log.references import ContentRef
from backstory.domain.state import ContextState


def end_session(state: ContextState, *, why: ContentRef | None) -> Decided:
    if state.status == "ended":
        raise SessionNotOpen("the session has ended already.")
    return Decided(facts.end_session(why))


def resume_session(state: ContextState) -> Decided:
    if state.status != "ended":
        raise Refused("the session is open; only an ended one can be resumed.")
    # The exact version: of two who resume it at once, the second finds it open.
    return Decided(facts.resume_session(), Guard(expected=state.version))
