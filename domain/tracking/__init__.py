"""What is noticed in messages: decisions, wishes to remember, and the things that are talked about."""
