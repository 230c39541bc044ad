"""The rebuild of read models from the logs."""
