"""A service on a real socket, in a thread of this process."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Literal

import uvicorn

from backstory.application.store import ContextStore
from backstory.interfaces.http.app import create_app
from tests.waiting import until


@contextmanager
def served(store: ContextStore, *, lifespan: Literal["on", "off"] = "off") -> Iterator[str]:
    """Serves a store: the address of the service. Live streams and MCP need its `lifespan`."""
    config = uvicorn.Config(
        create_app(store), host="127.0.0.1", port=0, log_level="error", lifespan=lifespan, access_log=False
    )
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    try:
        until(lambda: server.started)
        (listening,) = (socket for one in server.servers for socket in one.sockets)
        yield f"http://127.0.0.1:{listening.getsockname()[1]}"
    finally:
        server.should_exit = True
        thread.join()
