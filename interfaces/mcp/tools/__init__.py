"""The tools, a module for each topic."""
