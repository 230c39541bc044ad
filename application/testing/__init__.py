"""The test kit: given events, when a command, then events."""
