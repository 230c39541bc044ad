"""Documents that are put together from several queries, for every interface."""

from backstory.application.queries.history import SessionHistory
from backstory.application.queries.lookup import forks_of
from backstory.application.session import Session
from backstory.application.store import ContextStore
from backstory.interfaces.documents.sessions import ShownSessionDocument


def shown_session(store: ContextStore, session: Session) -> ShownSessionDocument:
    """A session with its branches and forks."""
    history = SessionHistory(session)
    points = session._runtime.log.branch_points(session.id)
    own = [entry for entry in history.at([point.version for point in points]) if not entry.inherited]
    return ShownSessionDocument.of(
        store.summary(session.id), session.state, own, forks_of(store, session.id), session.checkpoints.list()
    )
