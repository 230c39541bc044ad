"""Refresh triggers: conditions, firings, actions."""
