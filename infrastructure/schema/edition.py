"""The edition of the functions, views, triggers and grants of this code. `make edition` writes the two lines; a test
holds them to the files.

Texts that differ do not say which of them is newer, and code that is started anew in a rolling deploy must not put its
older functions over newer ones. So every change of the texts gets the next number.
"""

EDITION = 5
DIGEST = "50474422fe0e61d63b9c579ea6ac4bfecbbf6d0076b8b6482de7c42e4f40b594"
