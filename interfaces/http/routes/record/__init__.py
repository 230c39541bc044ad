"""Routes that start sessions and write to them."""
