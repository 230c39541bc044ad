"""The edition of the functions, views, triggers and grants of this code. `make edition` writes the two lines; a test
holds them to the files.

Texts that differ do not say which of them is newer, and code that is started anew in a rolling deploy must not put its
older functions over newer ones. So every change of the texts gets the next number.
"""

EDITION = 7
DIGEST = "14a133e09b5dc7c3985976473a73c585bd2405d5555e9aa584bf912f72305935"
