"""Statements by name. Each stands alone in a file, `sql/queries/<name>.sql`: those on the read models beside these, all
others beside the log."""

from functools import cache
from importlib.resources import files

from psycopg import sql

_LAYERS = ("backstory.infrastructure.schema", "backstory.projections")


@cache
def query(name: str) -> bytes:
    """The statement of this name, always the same bytes, so that the driver can keep it prepared. Its comments stay in
    the file."""
    for layer in _LAYERS:
        file = files(layer) / "sql" / "queries" / f"{name}.sql"
        if file.is_file():
            lines = file.read_text(encoding="utf-8").splitlines()
            return "\n".join(line for line in lines if not line.startswith("--")).encode()
    raise LookupError(f"there is no statement {name!r}")


@cache
def query_on(name: str, table: str) -> bytes:
    """The same for a statement on a table of ours that the caller chooses, which no parameter can stand for."""
    text = sql.SQL(query(name).decode())
    return text.format(table=sql.Identifier("backstory", table)).as_bytes(None)


@cache
def query_drafted(name: str, table: str, key: str) -> bytes:
    """The same for a statement on a table in use, the one of its name that a rebuild draws, and what tells the rows of
    one stream apart."""
    text = sql.SQL(query(name).decode())
    names = {"table": ("backstory", table), "draft": ("pg_temp", table), "key": (key,)}
    return text.format(**{place: sql.Identifier(*name) for place, name in names.items()}).as_bytes(None)
