"""Checkpoints: named versions, and the files they are exported to."""
