"""Routes of tasks."""
