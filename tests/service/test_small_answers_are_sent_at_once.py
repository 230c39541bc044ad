"""The head and the body of an answer are two small segments. The second must not wait for the first one's
acknowledgement, which a client delays by 40 ms."""

import asyncio
import socket

from backstory.interfaces.http.serving.server import Address


async def delays(listening: socket.socket) -> bool:
    """Whether a connection that asyncio accepts delays small segments."""
    accepted: asyncio.Future[bool] = asyncio.get_running_loop().create_future()

    def look(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        connection = writer.get_extra_info("socket")
        accepted.set_result(not connection.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY))
        writer.close()

    server = await asyncio.start_server(look, sock=listening)
    async with server:
        _, writer = await asyncio.open_connection(*listening.getsockname())
        found = await accepted
        writer.close()
        await writer.wait_closed()
    return found


async def test_its_connections_do_not_delay_them() -> None:
    assert not await delays(Address(port=0).listen())
