"""Commands on the session as a whole: clear and undo, archive, restore, backtrack, fork, verify."""

from typing import TYPE_CHECKING, Any
from uuid import UUID

from backstory.application.chat.answers import Answer, CannotRun, CommandCall, quoted
from backstory.application.chat.references import MOST_LISTED, matching
from backstory.application.chat.syntax import options_of, split_because, unquoted
from backstory.domain.errors import InvalidInput, UnknownSession
from backstory.domain.events import ClearUndone, ContextCleared
from backstory.domain.log.ranges import from_ranges

if TYPE_CHECKING:
    from backstory.application.archive.archive import Archived
    from backstory.application.store import ContextStore

TITLES_SEARCHED = 1000
"""The number of recent sessions that are searched for a title."""


def clear(call: CommandCall) -> Answer:
    call.nothing_more()
    done = call.session.window.clear()
    taken = _items(call, done)
    said = f"Cleared: {_counted(len(taken))} left the window. /context undo brings them back."
    return Answer(said, {"cleared": list(taken)}, (done,))


def undo_clear(call: CommandCall) -> Answer:
    call.nothing_more()
    done = call.session.window.undo_clear()
    back = _items(call, done)
    return Answer(
        f"Undone: {_counted(len(back))} came back to the window.", {"returned": list(back)}, (done,)
    )


def _items(call: CommandCall, version: int) -> tuple[int, ...]:
    """The items of a clear, or of the undoing of one."""
    (event,) = call.session.events(after=version - 1, upto=version)
    assert isinstance(event.body, ContextCleared | ClearUndone)
    return from_ranges(event.body.items)


def _counted(items: int) -> str:
    return "1 item" if items == 1 else f"{items:,} items"


def archive(call: CommandCall) -> Answer:
    """Makes memories of the session, and ends it. A session without a project is only ended and kept."""
    title = options_of(call.argument, ("title",)).get("title")
    made = None
    if call.state.labels.get("project") is not None and call.first is None:
        made = call.session.memory.archive(title)
    with call.session.atomic() as tx:
        tickets = [tx.details.rename(title)] if title is not None else []
        tickets.append(tx.end("archived"))
    events = tuple(tx.version_of(ticket) for ticket in tickets)
    summary = _store(call).summary(call.session.id)
    said = (
        f"Archived: {summary.title or 'untitled'}. The session has ended and is kept; /resume opens it again."
    )
    data: dict[str, Any] = {"session": str(summary.id), "title": summary.title}
    if made is not None:
        data |= {name: list(getattr(made, name)) for name in ("fragments", "memories", "candidates")}
        said += f" {_remembered(made)}"
    return Answer(said, data, events)


def _remembered(made: "Archived") -> str:
    """What the project remembers of a session, in a sentence."""
    fragments = [f"M{id}" for id in made.fragments]
    others = f"{_number(len(made.memories), 'other memory', 'other memories')}" if made.memories else ""
    if not fragments and not others:
        told = f"{made.project} remembers nothing new of it."
    else:
        told = f"{made.project} remembers it as {' and '.join(filter(None, [', '.join(fragments), others]))}."
    if made.candidates:
        waiting = _number(len(made.candidates), "memory waits", "memories wait")
        told += f" {waiting} to be confirmed: /memory_candidates."
    return told


def _number(count: int, one: str, many: str) -> str:
    return f"{count:,} {one if count == 1 else many}"


def restore(call: CommandCall) -> Answer:
    """Names the session to continue with, resumed if it had ended. This session is not changed."""
    from backstory.application.queries.resume import resumed_lines

    store = _store(call)
    resumed = store.resume(_meant(store, call.text("the session")))
    own = () if resumed.session.id != call.session.id or resumed.resumed is None else (resumed.resumed,)
    view = resumed.view._asdict()
    data = {
        **view,
        "session": str(resumed.session.id),
        "goals": [goal._asdict() for goal in resumed.view.goals],
        "last_activity": resumed.view.last_activity.isoformat(),
        "next_steps": list(resumed.view.next_steps),
        "recent_history": [
            found._asdict() | {"at": found.at.isoformat()} for found in resumed.view.recent_history
        ],
        "resumed": resumed.resumed is not None,
    }
    return Answer("\n".join(resumed_lines(resumed)), data, own)


def _meant(store: "ContextStore", reference: str) -> UUID:
    """A session by its id, a part of one, `last`, or by its title."""
    try:
        return store.find(reference)
    except (InvalidInput, UnknownSession) as error:
        unknown = error
    titles = {summary.id: summary.title for summary in store.sessions(limit=TITLES_SEARCHED)}
    matches = matching(reference, titles)
    if not matches:
        if isinstance(unknown, UnknownSession):
            raise unknown
        raise UnknownSession(f"no session has the id or the title {quoted(reference)}.")
    if len(matches) > 1:
        lines = "\n".join(f"  {id}  {titles[id]}" for id in matches[:MOST_LISTED])
        raise CannotRun(
            f"{quoted(reference)} fits {len(matches)} sessions; say which by its id:\n{lines}",
            candidates=[{"id": str(id), "text": titles[id]} for id in matches],
        )
    return matches[0]


def backtrack(call: CommandCall) -> Answer:
    version, why = split_because(call.written("the version"))
    if not version.isdecimal() or len(version) > 10:
        raise CannotRun(f"the version must be a number, got {quoted(version)}.")
    done = call.session.backtrack(int(version), why or "asked for in the chat")
    data = {"to": int(version), "abandoned": done - 1}
    return Answer(f"Version {version} is current again. /backtrack {done - 1} takes it back.", data, (done,))


def fork(call: CommandCall) -> Answer:
    child = call.session.fork(title=unquoted(call.argument) or None)
    summary = _store(call).summary(child.id)
    said = f"Forked at version {summary.version - 1}: {child.id}"
    return Answer(said, {"session": str(child.id), "title": summary.title, "at": summary.version - 1})


def resume(call: CommandCall) -> Answer:
    call.nothing_more()
    return Answer("The session is open again.", {}, (call.session.resume(),))


def verify(call: CommandCall) -> Answer:
    call.nothing_more()
    verification = call.session.verify()
    problem = verification.problem
    if problem is not None:
        return Answer(f"Not intact: {problem.where}: {problem.what}", {"intact": False}, ok=False)
    return Answer(
        f"Intact: {verification.events:,} events, {verification.contents:,} contents.", {"intact": True}
    )


def _store(call: CommandCall) -> "ContextStore":
    from backstory.application.store import ContextStore

    return ContextStore(call.session._runtime)
