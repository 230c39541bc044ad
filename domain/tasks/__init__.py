"""Tasks: what an agent is told of one, within a budget, and nothing of any other."""
