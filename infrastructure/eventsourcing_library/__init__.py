"""The `eventsourcing` library over our log."""
