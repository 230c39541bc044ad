"""Sessions as files: exported, audited without a database, imported elsewhere, purged."""
