"""The edition of the functions, views, triggers and grants of this code. `make edition` writes the two lines; a test
holds them to the files.

Texts that differ do not say which of them is newer, and code that is started anew in a rolling deploy must not put its
older functions over newer ones. So every change of the texts gets the next number.
"""

EDITION = 8
DIGEST = "0460d97ed97ce202512c79e88ffc8fc0de644c604af417f75280b0c71d26f70d"
