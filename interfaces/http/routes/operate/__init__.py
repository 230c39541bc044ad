"""Routes of those who run the service."""
