"""Stores that agents keep their conversations in, each used as its documentation says for a chat agent."""
