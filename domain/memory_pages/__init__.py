"""Memory files: pages that people read and edit, and the edits in them."""
