"""The feed, tails of sessions, and the projections that follow the feed."""
