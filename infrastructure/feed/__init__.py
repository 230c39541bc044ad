"""The feed: reads, horizon, notifications."""
