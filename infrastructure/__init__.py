"""Postgres through eventsourcing and psycopg, migrations, the embedded server, tokens."""
