"""Statements by name. The files in `sql/queries` hold them by topic, each after a line `-- name: …`: those on the read
models in the projections, all others beside the schema."""

import re
from functools import cache
from importlib.resources import files

from psycopg import sql

_LAYERS = ("backstory.infrastructure.schema", "backstory.projections")
_NAMED = re.compile(r"^-- name: (\w+)\n((?:(?!-- name: ).*\n)+)", re.MULTILINE)


@cache
def _statements() -> dict[str, bytes]:
    """All statements, without their comments. The files are read when the first one is asked for."""
    folders = [files(layer) / "sql" / "queries" for layer in _LAYERS]
    texts = [file.read_text(encoding="utf-8") for folder in folders for file in folder.iterdir()]
    return {
        name: re.sub(r"^--.*\n", "", body, flags=re.MULTILINE).strip().encode()
        for text in texts
        for name, body in _NAMED.findall(text)
    }


def query(name: str) -> bytes:
    """The statement of this name, always the same object, so that the driver can keep it prepared."""
    try:
        return _statements()[name]
    except KeyError:
        raise LookupError(f"there is no statement {name!r}") from None


@cache
def query_on(name: str, table: str) -> bytes:
    """A statement on a table of ours that the caller chooses, since no parameter can stand for it."""
    text = sql.SQL(query(name).decode())
    return text.format(table=sql.Identifier("backstory", table)).as_bytes(None)


@cache
def query_drafted(name: str, table: str, key: str) -> bytes:
    """A statement on a table in use, on the draft of it that a rebuild makes, and on the column that tells the rows of
    one stream apart."""
    text = sql.SQL(query(name).decode())
    names = {"table": ("backstory", table), "draft": ("pg_temp", table), "key": (key,)}
    return text.format(**{place: sql.Identifier(*name) for place, name in names.items()}).as_bytes(None)
