"""Commands on projects and their memory."""
