"""Tokens, prices, chat endpoints and summarizers."""
