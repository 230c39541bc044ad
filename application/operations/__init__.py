"""Administration of a database, logs and telemetry."""
