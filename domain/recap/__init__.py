"""Recaps: what a compaction took out of a context and its summary does not tell, in few words."""
