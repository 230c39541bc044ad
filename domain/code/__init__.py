"""Code: the files of a project, their definitions, and which of them a task is about."""
