"""The edition of the functions, views, triggers and grants of this code. `make edition` writes the two lines; a test
holds them to the files.

Texts that differ do not say which of them is newer, and code that is started anew in a rolling deploy must not put its
older functions over newer ones. So every change of the texts gets the next number.
"""

EDITION = 11
DIGEST = "336c18fd5ee92be79f4415b1d4e59a854f2495e02c519635808cb5ce168c0db4"
