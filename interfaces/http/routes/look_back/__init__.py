"""Routes that read what was recorded."""
