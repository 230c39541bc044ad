"""The code of a project: indexed, mapped, searched."""
