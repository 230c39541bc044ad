"""The edition of the functions, views, triggers and grants of this code. `make edition` writes the two lines; a test
holds them to the files.

Texts that differ do not say which of them is newer, and code that is started anew in a rolling deploy must not put its
older functions over newer ones. So every change of the texts gets the next number.
"""

EDITION = 10
DIGEST = "f4686a7ab66760dbce0d1590451bda63879ef9b6effaa930f8eedfe9165dae26"
