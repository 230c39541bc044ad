"""Routes of projects and their memory."""
