"""Which edition of the functions, views, triggers and grants this code has. `make edition` writes the two lines; a test
holds them to the files.

Texts that differ do not say which of them is newer, and code that is started anew in a rolling deploy must not put its
older functions over newer ones. So every change of the texts gets the next number.
"""

EDITION = 6
DIGEST = "4ff95e0a56d6f41f0cf2702ffc2ff693f6866cd2cdac37db5beb3adb3e63dc09"
