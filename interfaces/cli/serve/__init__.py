"""`backstory serve`."""
