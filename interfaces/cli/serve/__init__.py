"""`backstory serve`, and the sample that `make run` shows."""
