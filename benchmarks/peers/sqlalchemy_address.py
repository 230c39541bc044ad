"""The server's address as SQLAlchemy writes it, with the driver that both libraries on it recommend."""

from psycopg.conninfo import conninfo_to_dict
from sqlalchemy import URL


def asyncpg_url(url: str) -> URL:
    parts = conninfo_to_dict(url)
    return URL.create(
        "postgresql+asyncpg",
        username=str(parts["user"]),
        password=str(parts["password"]) if "password" in parts else None,
        database=str(parts["dbname"]),
        query={"host": str(parts["host"]), "port": str(parts.get("port", 5432))},
    )
