"""Session summaries made offline."""
