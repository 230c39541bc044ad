"""Artifacts of a project: what they are, how files become some, which belong together."""
