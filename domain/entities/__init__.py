"""Entities: the files, functions, technologies and concepts that messages mention."""
