"""Documents that are put together from several queries, for every interface."""

from backstory.application.queries.history import SessionHistory
from backstory.application.queries.lookup import forks_of
from backstory.application.session import Session
from backstory.application.store import ContextStore
from backstory.interfaces.documents.sessions import ShownSessionDocument

_BRANCHING = ("session.forked", "session.backtracked")


def shown_session(store: ContextStore, session: Session) -> ShownSessionDocument:
    """A session with its branches and forks."""
    history = SessionHistory(session)
    own = [entry for entry in history.entries(types=_BRANCHING) if not entry.inherited]
    return ShownSessionDocument.of(
        store.summary(session.id), session.state, own, forks_of(store, session.id), session.checkpoints.list()
    )
