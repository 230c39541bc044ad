"""Commands that write to sessions."""
