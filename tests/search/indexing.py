"""The search index, brought up to date for single sessions: the database of the tests holds many others."""

from backstory.application.memory.project import Project
from backstory.application.search.index import index_stream
from backstory.application.session import Session
from backstory.application.store import ContextStore


def index(session: Session | Project, upto: int | None = None) -> None:
    """Indexes a session or a project as the projection does, up to a version."""
    runtime = session._runtime
    with runtime.database.as_login("to index") as connection, connection.transaction():
        index_stream(runtime, connection, session.id, upto or session.version)


def index_rows(store: ContextStore, session: Session) -> list[bytes]:
    """Everything that the index stores of a session's own events."""
    text = (
        b"select documents from backstory.search_segments where stream_id = %(id)s union all "
        b"select postings from backstory.search_postings where stream_id = %(id)s"
    )
    rows = store._runtime.database.read(lambda c: c.execute(text, {"id": session.id}).fetchall())
    return [row[0] for row in rows]
