"""Artifacts of a project: registered, loaded into sessions, unloaded."""
