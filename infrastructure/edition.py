"""Which edition of the functions, views, triggers and grants this code has. `make edition` writes the two lines; a test
holds them to the files.

Texts that differ do not say which of them is newer, and code that is started anew in a rolling deploy must not put its
older functions over newer ones. So every change of the texts gets the next number.
"""

EDITION = 2
DIGEST = "4a38043d0f2f483fcf3b524fd96481e290bcc522552fce09fa2ef350c1bcdac2"
