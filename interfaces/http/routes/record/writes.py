"""Writes that return a version, one route for each: see `verbs`."""

from backstory.domain.access import Action
from backstory.interfaces.documents.sessions import WrittenDocument
from backstory.interfaces.http.requests import OpenSession
from backstory.interfaces.http.routing import Routes
from backstory.interfaces.http.verbs import ALONE, VERBS, Verb

routes = Routes("writes")

KEPT = ("redo", "safety.clear", "window.restore_results", "artifacts.remove")
"""Writes that, made once, the state no longer allows to be decided again."""


def _add(verb: Verb) -> None:
    def write(session: OpenSession, body: verb.body) -> WrittenDocument:  # type: ignore[name-defined]
        return WrittenDocument(session=session.id, version=verb.apply(session, body))

    write.__name__, write.__doc__ = verb.operation, verb.method.__doc__
    once = "bare" if verb.name in KEPT else None
    routes.post(f"/sessions/{{session}}/{verb.path}", Action.APPEND, status_code=201, once=once)(write)


for _verb in (*VERBS.values(), *ALONE):
    _add(_verb)
