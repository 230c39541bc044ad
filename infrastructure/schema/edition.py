"""The edition of the functions, views, triggers and grants of this code. `make edition` writes the two lines; a test
holds them to the files.

Texts that differ do not say which of them is newer, and code that is started anew in a rolling deploy must not put its
older functions over newer ones. So every change of the texts gets the next number.
"""

EDITION = 9
DIGEST = "c016c1371106671169ed6e400470f7ce700139e6fb96fa11ab07687798f42e45"
