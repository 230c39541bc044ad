"""Resuming an earlier session."""

from contextlib import suppress
from typing import Generic, NamedTuple, TypeVar

from backstory.application.queries.restore_view import RestoreView
from backstory.application.session import Session
from backstory.domain.errors import Refused

Handle = TypeVar("Handle")


class Resumed(NamedTuple, Generic[Handle]):
    """A resumed session, with the view of it from before. `resumed` is the version that opened it again, if it had
    ended."""

    session: Handle
    view: RestoreView
    resumed: int | None
    forked_from: Handle | None


def resume(session: Session, *, fork: bool) -> Resumed[Session]:
    """Opens a session again if it had ended, or forks it at its newest version and leaves it unchanged."""
    view = session.views.restore_view()
    state = session.state
    if fork:
        return Resumed(session.fork(state.version), view, None, session)
    resumed: int | None = None
    if state.status == "ended":
        # Somebody else may have opened it meanwhile: then it is open, which is what was asked for.
        with suppress(Refused):
            resumed = session.resume()
    return Resumed(session, view, resumed, None)


def resumed_lines(resumed: Resumed[Handle]) -> list[str]:
    """The lines for people."""
    how = " (it had ended and is open again)" if resumed.resumed else ""
    if resumed.forked_from is not None:
        how = " (in a fork; the session itself is left as it is)"
    return [f"✓ Restored session: {resumed.view.title or 'untitled'}{how}", *view_lines(resumed.view)]


def view_lines(view: RestoreView) -> list[str]:
    """The lines for people, below the title."""
    return [
        f"Active goals: {len(view.goals)}",
        *(f"  {_one_line(goal.text)} ({goal.status})" for goal in view.goals),
        f"Last activity: {view.last_activity_text or 'nothing was said yet'}",
        f"Next steps: {', '.join(map(_one_line, view.next_steps)) or 'none'}",
    ]


def _one_line(text: str) -> str:
    return " ".join(text.split())
