"""Search: the words of a text, what can be found, and how it is ranked."""
