"""Commands on artifacts and triggers."""
