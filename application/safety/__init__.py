"""Safety: what is trusted, what is kept out of prompts, and where an item got into."""
