"""Refresh triggers: what a change sets off."""
