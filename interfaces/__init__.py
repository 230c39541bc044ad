"""The ways in from outside Python: the command line, later HTTP and others."""
