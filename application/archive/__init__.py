"""Sessions made into memory: fragments, and what is noticed in them."""
