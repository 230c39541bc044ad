"""Routes of contexts and windows."""
