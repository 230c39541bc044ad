"""Read models: the SQL that applies events to them, and the queries that read them."""
