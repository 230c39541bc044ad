"""The edition of the functions, views, triggers and grants of this code. `make edition` writes the two lines; a test
holds them to the files.

Texts that differ do not say which of them is newer, and code that is started anew in a rolling deploy must not put its
older functions over newer ones. So every change of the texts gets the next number.
"""

EDITION = 1
DIGEST = "433430af7f962ef9a94bb88e9fb10037ea561356b3d4cbb7f1769a163cf07716"
