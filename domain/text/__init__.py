"""Text taken apart: code fences, sentences, words, titles."""
