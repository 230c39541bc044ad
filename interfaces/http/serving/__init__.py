"""The running service: its processes, what it asks of requests, its page."""
