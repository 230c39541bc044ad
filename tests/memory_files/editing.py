"""The memory files of a project as a person edits them."""

from pathlib import Path
from typing import Any

from backstory import ContextStore, Project
from backstory.application.files import Synced

PREFERENCES = "boss-preferences.md"
KNOWLEDGE = "project-knowledge.md"


class Files:
    """The memory files of one project in a folder."""

    def __init__(self, store: ContextStore, project: Project, directory: Path) -> None:
        self.store = store
        self.project = project
        self.directory = directory
        self.folder = directory / "memory" / project.name

    def sync(self, **asked: Any) -> Synced:
        return self.store.sync(self.directory, [], projects=[self.project.name], **({"by": "ana"} | asked))

    def read(self, file: str = KNOWLEDGE) -> str:
        return (self.folder / file).read_text()

    def write(self, text: str, file: str = KNOWLEDGE) -> None:
        (self.folder / file).write_text(text)

    def replace(self, old: str, new: str, file: str = KNOWLEDGE) -> None:
        text = self.read(file)
        assert old in text
        self.write(text.replace(old, new), file)

    def below(self, section: str, lines: str, file: str = KNOWLEDGE) -> None:
        self.replace(f"## {section}\n", f"## {section}\n\n{lines}\n", file)

    def texts(self) -> list[str | None]:
        """What holds, oldest first."""
        return [memory.text for memory in self.project.memories().memories[::-1]]
