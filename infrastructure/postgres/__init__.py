"""Postgres: connections, append, log reads, statements."""
