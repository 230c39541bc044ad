"""Policies: frozen values with their numbers as fields, so that they can be printed, compared and swapped."""
