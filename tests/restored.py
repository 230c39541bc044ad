"""A log as it would be after its database was restored from a backup: the same versions, which say something else."""

from uuid import UUID

import psycopg

from backstory.domain.log.references import PLAIN_TEXT, digest


def say_instead(connection: psycopg.Connection, stream: UUID, version: int, text: bytes) -> None:
    """Puts another text in place of an event's first content, with the digest of it in the event. The triggers must be
    off."""
    (salt, old), *_ = connection.execute(
        "select salt, bytes from backstory.contents where stream_id = %s and version = %s and part = 0",
        (stream, version),
    ).fetchall()
    connection.execute(
        "update backstory.contents set bytes = %s where stream_id = %s and version = %s and part = 0",
        (text, stream, version),
    )
    connection.execute(
        "update backstory.events set payload = convert_to(replace(convert_from(payload, 'UTF8'), %s, %s), 'UTF8') "
        "where stream_id = %s and version = %s",
        (digest(salt, PLAIN_TEXT, old), digest(salt, PLAIN_TEXT, text), stream, version),
    )
