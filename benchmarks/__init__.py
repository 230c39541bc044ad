"""What Backstory costs, measured beside its rivals in the same run on the same Postgres."""
