"""The edition of the functions, views, triggers and grants of this code. `make edition` writes the two lines; a test
holds them to the files.

Texts that differ do not say which of them is newer, and code that is started anew in a rolling deploy must not put its
older functions over newer ones. So every change of the texts gets the next number.
"""

EDITION = 6
DIGEST = "7eb19406293df0ae56d7e9d74ee8357d7b189fb472873b6af520c0ab7b151258"
