"""The edition of the functions, views, triggers and grants of this code. `make edition` writes the two lines; a test
holds them to the files.

Texts that differ do not say which of them is newer, and code that is started anew in a rolling deploy must not put its
older functions over newer ones. So every change of the texts gets the next number.
"""

EDITION = 12
DIGEST = "f709a8d757e3fe8a8e58dfbc3b6ebbd5cf497c6f52f3dd2d9fad6f235d5e9c41"
