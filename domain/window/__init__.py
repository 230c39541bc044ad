"""Rules of a window: its usage, the items it may lose, and the stubs and summaries that replace them."""
