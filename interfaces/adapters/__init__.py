"""Stores for agent frameworks, each on a ContextStore. Each is an optional extra of the package."""
