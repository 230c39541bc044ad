"""The edition of the functions, views, triggers and grants of this code. `make edition` writes the two lines; a test
holds them to the files.

Texts that differ do not say which of them is newer, and code that is started anew in a rolling deploy must not put its
older functions over newer ones. So every change of the texts gets the next number.
"""

EDITION = 13
DIGEST = "2274ea2f73e150bab013f1e6674a839d8855418ea755874d2024fbca8eb25ad8"
