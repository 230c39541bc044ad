"""`backstory sample`: adds sample sessions to a database, once."""

from collections.abc import Callable
from datetime import UTC, datetime

import typer

from backstory.application.session import Session
from backstory.application.store import ContextStore
from backstory.interfaces.cli.commands import command, run_of
from backstory.interfaces.cli.manual import Manual
from backstory.interfaces.cli.options import Json
from backstory.interfaces.cli.output.text import Text
from backstory.interfaces.cli.sample import shorter, sign_in
from backstory.interfaces.cli.sample.recorder import TAG, UNFINISHED
from backstory.interfaces.documents.sample import SampleDocument


@command(
    "sample",
    Manual(
        examples=("backstory sample", "backstory --url postgresql://localhost/backstory sample"),
        document=SampleDocument,
        notes=(
            "Adds one long session of two agents and a few shorter ones, with their projects' memories, through the "
            "calls that agents use too. No model is called: their answers are part of the sample. Where it "
            "is in the database already, nothing is added. `backstory sessions list --tag sample` lists it."
        ),
    ),
)
def sample(context: typer.Context, json: Json = False) -> None:
    """Add sample sessions to the database."""
    run = run_of(context)

    def said(what: str) -> None:
        if not json:
            run.errors.print(Text(what, "quiet"), soft_wrap=True)

    with run.store() as store:
        main, made = ensure_sample(store, said)
    document = SampleDocument(session=main.id, made=made)
    if json:
        run.document(document)
    else:
        run.out.print(f"{'Added' if made else 'It is there already'}: session {main.id}")


def ensure_sample(
    store: ContextStore, said: Callable[[str], None], now: datetime | None = None
) -> tuple[Session, bool]:
    """The sample's long session, and whether it was made now. Everything is dated from `now` backwards, so with the
    same `now` it is the same."""
    for found in store.sessions(tag=TAG, limit=100):
        if found.title == sign_in.TITLE:
            return store.session(found.id), False
    _remove_unfinished(store)
    now = now or datetime.now(UTC)
    try:
        told = list(shorter.record_all(store, now, said))
        said(sign_in.TITLE)
        told += sign_in.record(store, now)
        for recorder in told:
            recorder.finish()
    except BaseException:
        _remove_unfinished(store)
        raise
    return told[-1].session, True


def _remove_unfinished(store: ContextStore) -> None:
    # The newest first: a session cannot be purged while it has forks.
    for left in store.sessions(tag=UNFINISHED, limit=100):
        store.purge(left.id, without_export=True)
