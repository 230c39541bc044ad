"""Contents: read along a branch, and cached."""
