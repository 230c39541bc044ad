"""The files of a project on disk, their definitions and their history."""
