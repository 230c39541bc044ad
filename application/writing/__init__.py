"""Writes: what a session and a transaction can record."""
