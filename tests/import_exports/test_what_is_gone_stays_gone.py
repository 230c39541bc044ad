"""Whatever is exported and imported again in whichever order: what was erased is not readable again, and what was
forgotten does not hold again."""

from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from uuid import uuid4

import pytest
from hypothesis import given, strategies as st

from backstory import ContentErased, ContextStore, Project, Session, SessionDiffers, SessionPurged
from tests.properties import examples

STEPS = ("remember", "forget", "erase memory", "erase source", "export", "import", "import", "purge")


@pytest.fixture(scope="module")
def store(module_database: str) -> Iterator[ContextStore]:
    with ContextStore.open(module_database) as store:
        yield store


@pytest.fixture
def other(new_database: Callable[[], str]) -> Iterator[ContextStore]:
    with ContextStore.open(new_database()) as other:
        yield other


class World:
    """A project with one session, and all that was taken out of them."""

    def __init__(self, store: ContextStore, folder: Path) -> None:
        self.store = store
        self.folder = folder
        self.session: Session = store.start(project=f"shop-{uuid4()}")
        self.project: Project = self.session.memory.project
        self.said: dict[int, str] = {}
        self.memories: dict[int, int] = {}
        """The memories, each with the item it was made from."""
        self.erased: set[str] = set()
        self.forgotten: set[int] = set()
        self.files: list[Path] = []

    def step(self, what: str, number: int) -> None:
        memory = [*self.memories][number % len(self.memories)] if self.memories else None
        if what == "export":
            self.files.append(self.folder / f"{uuid4()}.jsonl")
            self.store.export(self.session.id, self.files[-1], projects=[self.project.name])
        elif what == "import" and self.files:
            with suppress(SessionDiffers):
                self.store.import_file(self.files[number % len(self.files)])
        elif what == "purge" and self.project.version:
            self.files.append(self.folder / f"{uuid4()}.jsonl")
            self.store.purge_memory(self.project.name, self.files[-1])
        elif what == "remember":
            self.remember()
        elif memory is not None and what == "erase source":
            self.erase_source(self.memories[memory])
        elif memory is not None and self.project.version:
            self.take(what, memory)

    def remember(self) -> None:
        word = f"word{uuid4().hex}"
        item = self.session.message(word)
        self.said[item] = word
        with suppress(SessionPurged):
            self.memories[self.session.memory.remember(f"a memory of {word}", items=[item])] = item

    def take(self, what: str, memory: int) -> None:
        if what == "forget" and memory not in self.forgotten:
            self.project.forget(memory)
            self.forgotten.add(memory)
        elif what == "erase memory" and self.project.memory(memory).text is not None:
            self.project.erase(memory, "asked to")
            self.erased.add(f"a memory of {self.said[self.memories[memory]]}")

    def erase_source(self, item: int) -> None:
        if self.said[item] not in self.erased:
            self.session.erase(item, "asked to")
            self.erased.add(self.said[item])

    def check(self, store: ContextStore) -> None:
        project, session = store.project(self.project.name), store.session(self.session.id)
        readable = [one.text for one in project.memories(past=True).memories]
        for item in self.said:
            with suppress(ContentErased):
                readable.append(session.text(item))
        text = "\n".join(one for one in readable if one is not None)
        assert not [word for word in self.erased if word in text]
        assert not {one.id for one in project.memories().memories} & self.forgotten
        assert project.version == 0 or project.verify().ok
        assert session.verify().ok


@examples(15)
@given(steps=st.lists(st.tuples(st.sampled_from(STEPS), st.integers(0, 9)), min_size=4, max_size=16))
def test_here(store: ContextStore, tmp_path_factory: pytest.TempPathFactory, steps: list) -> None:
    world = World(store, tmp_path_factory.mktemp("exports"))
    world.remember()
    for what, number in steps:
        world.step(what, number)
        world.check(store)


def test_where_a_newer_export_was_imported(store: ContextStore, other: ContextStore, tmp_path: Path) -> None:
    """An older one that holds what was taken away since changes nothing there."""
    world = World(store, tmp_path)
    for _ in range(3):
        world.remember()
    world.step("export", 0)
    for what in ("forget", "erase memory", "erase source"):
        world.step(what, ("forget", "erase memory", "erase source").index(what))
    world.step("export", 0)
    older, newer = world.files
    other.import_file(newer)
    assert all(one.already_there for one in other.import_file(older))
    world.check(other)
