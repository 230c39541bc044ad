"""Which edition of the functions, views, triggers and grants this code has. `make edition` writes the two lines; a test
holds them to the files.

Texts that differ do not say which of them is newer, and code that is started anew in a rolling deploy must not put its
older functions over newer ones. So every change of the texts gets the next number.
"""

EDITION = 3
DIGEST = "7114c47c23756bde33a19b4e528384b25535301f14d1fe0653f1d3ac4cc273bc"
