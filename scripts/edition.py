"""Numbers the functions, views, triggers and grants anew when their text has changed: `make edition`."""

import re
from pathlib import Path

from backstory.infrastructure.schema.edition import DIGEST, EDITION
from backstory.infrastructure.schema.migrate import objects_digest

FILE = Path(__file__).parents[1] / "infrastructure" / "schema" / "edition.py"


def main() -> None:
    found = objects_digest()
    if found == DIGEST:
        print(f"edition {EDITION}, as before")
        return
    lines = f'EDITION = {EDITION + 1}\nDIGEST = "{found}"\n'
    FILE.write_text(re.sub(r"^EDITION = .*\nDIGEST = .*\n", lines, FILE.read_text(), flags=re.MULTILINE))
    print(f"edition {EDITION + 1}")


if __name__ == "__main__":
    main()
