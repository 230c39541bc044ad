"""A store on the embedded Postgres starts it again by itself."""

import os
import signal
from pathlib import Path

from backstory.application.store import ContextStore
from backstory.domain.errors import OutcomeUnknown
from backstory.infrastructure.embedded import server as embedded
from tests.waiting import until


def test_an_open_store_goes_on_after_the_server_was_killed(home: Path, monkeypatch) -> None:
    monkeypatch.delenv("BACKSTORY_DATABASE_URL", raising=False)
    with ContextStore.open(data_dir=home) as store:
        session = store.start()
        server = embedded.status(home)
        assert server is not None
        assert server.pid is not None
        os.kill(server.pid, signal.SIGKILL)
        until(lambda: embedded.status(home) is None)
        try:
            session.message("is anybody there?")
        except OutcomeUnknown:
            session.message("is anybody there?")
        assert session.verify().ok
        assert session.state.counts["message"] == 1

        embedded.stop(home)
        assert session.state.counts["message"] == 1
