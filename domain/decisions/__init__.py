"""Decisions noticed in messages."""
