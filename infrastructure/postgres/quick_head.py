"""Where a stream's log ends, on the shortest way: what is asked before every read of a state that is held."""

import struct
from collections.abc import Callable
from typing import NamedTuple
from uuid import UUID

import psycopg

from backstory.infrastructure.postgres.queries import query
from backstory.infrastructure.postgres.quick_append import FROM_1970
from backstory.infrastructure.postgres.quick_statement import QuickStatement

# uuid
_HEAD = QuickStatement(b"backstory_quick_head", query("quick_head"), (2950,))
_INT4 = struct.Struct(">i").unpack
_INT8 = struct.Struct(">q").unpack


class End(NamedTuple):
    """The newest version, and when it was recorded, in microseconds since 1970."""

    version: int
    recorded: int


def quick_head(
    connection: psycopg.Connection, stream: UUID, meanwhile: Callable[[], None] | None = None
) -> End | None:
    """None where there is no such stream. While the server looks, `meanwhile` is done."""
    result = _HEAD.call(connection, [stream.bytes], meanwhile)
    if not result.ntuples:
        return None
    version, recorded = result.get_value(0, 0), result.get_value(0, 1)
    assert version is not None
    assert recorded is not None
    return End(_INT4(version)[0], _INT8(recorded)[0] + FROM_1970)
