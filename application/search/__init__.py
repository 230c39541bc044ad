"""Search: the index of what was recorded, and queries over sessions."""
