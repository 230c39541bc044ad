"""Verification: logs, contents and read models compared."""
