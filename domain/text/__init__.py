"""Text: sentences, words, signals."""
