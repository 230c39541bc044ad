"""Contexts: the choice of their items, and their exact bytes."""
