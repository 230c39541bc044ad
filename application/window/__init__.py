"""The window: usage, compaction, pruning, recovery."""
