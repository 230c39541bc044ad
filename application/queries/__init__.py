"""Queries on read models: sessions, items, history, status."""
