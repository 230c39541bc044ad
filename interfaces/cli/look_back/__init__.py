"""Commands that read what was recorded."""
