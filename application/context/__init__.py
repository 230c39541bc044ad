"""Contexts: built for a call, recorded, reproduced."""
