"""A migration that databases have been made with is never edited: a change is another migration.

`migrations.json` has the hash of each. A new migration is added there, and no line of it changes afterwards.
"""

import hashlib
import json
from pathlib import Path

from backstory.infrastructure.schema import migrate as schema

KEPT: dict[str, str] = json.loads((Path(__file__).parent / "migrations.json").read_text())


def test_each_is_the_one_that_was_written() -> None:
    found = {
        file.name: hashlib.sha256(file.read_bytes()).hexdigest()
        for file in sorted((Path(schema.__file__).parent / "migrations").glob("*.sql"))
    }
    assert found == KEPT, "add a new migration instead, and its hash to migrations.json"
