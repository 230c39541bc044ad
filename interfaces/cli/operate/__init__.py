"""Commands that look after the database, jobs and files."""
