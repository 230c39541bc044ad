"""Commands on what items may do, and on where they got into."""
