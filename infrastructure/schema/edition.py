"""The edition of the functions, views, triggers and grants of this code. `make edition` writes the two lines; a test
holds them to the files.

Texts that differ do not say which of them is newer, and code that is started anew in a rolling deploy must not put its
older functions over newer ones. So every change of the texts gets the next number.
"""

EDITION = 2
DIGEST = "1edd5d5df1e85d9375ecca57fd31091ec0b7f1a8f4df52dcb18a69e4d1d4d74a"
