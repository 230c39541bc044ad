"""The documents that the interfaces return: every result's shape, with a description of each field.

The command line prints them with `--json`. Nothing here depends on one interface.
"""
