"""Which edition of the functions, views, triggers and grants this code has. `make edition` writes the two lines; a test
holds them to the files.

Texts that differ do not say which of them is newer, and code that is started anew in a rolling deploy must not put its
older functions over newer ones. So every change of the texts gets the next number.
"""

EDITION = 1
DIGEST = "20517efd0d450d5a0358f0a7f21e8255dda0e88635c57993b1e357f5f2e4a826"
