"""Commands about what a model sees."""
