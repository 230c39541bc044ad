"""Which edition of the functions, views, triggers and grants this code has. `make edition` writes the two lines; a test
holds them to the files.

Texts that differ do not say which of them is newer, and code that is started anew in a rolling deploy must not put its
older functions over newer ones. So every change of the texts gets the next number.
"""

EDITION = 5
DIGEST = "9762569874065bba1bedc3b9fc1bbe80f98e1b7e3f6cb7d1429447035fa9766a"
