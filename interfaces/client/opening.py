"""The opening of a store that is served."""

import asyncio
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any

from backstory.application.aio.store import AsyncContextStore
from backstory.application.bootstrap import read_settings
from backstory.application.store import ContextStore
from backstory.domain.errors import InvalidInput
from backstory.interfaces.client.connection import Connection
from backstory.interfaces.client.store import RemoteStore

PATIENCE = 30.0
TIMEOUT = 60.0


def connect(
    url: str,
    *,
    key: str | None = None,
    patience: float = PATIENCE,
    timeout: float = TIMEOUT,
    pool_size: int | None = None,
    verify: Any = True,
) -> ContextStore:
    """Connects to a service: ``with backstory.connect("http://127.0.0.1:8765", key="bsk_…") as store:``. The store has
    the methods, the results and the errors of one that was opened with `ContextStore.open`.

    `patience` is how long, in seconds, a request is repeated while the service is busy or away, if that is safe; each
    attempt may take `timeout`. At most `pool_size` connections are open. `verify` is what httpx takes: an SSL context
    with the service's own certificate authority, for example."""
    if key is not None and (
        not isinstance(key, str) or not key.isascii() or not key.isprintable() or not key
    ):
        raise InvalidInput("key", "must be a key that `backstory keys create` printed")
    connection = Connection(
        url,
        key=key,
        patience=_seconds("patience", patience),
        timeout=_seconds("timeout", timeout),
        pool_size=read_settings(pool_size=pool_size).pool_size,
        verify=verify,
    )
    try:
        connection.greet()
    except BaseException:
        connection.close()
        raise
    return RemoteStore(connection)


async def connect_async(
    url: str,
    *,
    key: str | None = None,
    patience: float = PATIENCE,
    timeout: float = TIMEOUT,
    pool_size: int | None = None,
    verify: Any = True,
) -> AsyncContextStore:
    """Connects to a service from asyncio: ``async with await backstory.connect_async("http://…") as store:``. See
    `connect`."""
    size = read_settings(pool_size=pool_size).pool_size
    connecting = partial(
        connect, url, key=key, patience=patience, timeout=timeout, pool_size=size, verify=verify
    )
    threads = ThreadPoolExecutor(size, thread_name_prefix="backstory")
    try:
        inner = await asyncio.get_running_loop().run_in_executor(threads, connecting)
    except BaseException:
        threads.shutdown(wait=False)
        raise
    return AsyncContextStore(inner, threads)


def _seconds(name: str, value: float) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or value < 0:
        raise InvalidInput(name, f"must be a number of seconds, not negative, got {value!r}")
    return float(value)
