"""The end of sessions: retention rules, and the purge."""
