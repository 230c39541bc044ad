"""Erasing a source leaves nothing of it in any memory, summary, index or file, whatever was made from it."""

from pathlib import Path
from typing import Any
from uuid import uuid4

import psycopg
import pytest
from hypothesis import given, strategies as st

from backstory import ContextStore, Project, Refused, Session, Source
from tests.properties import examples
from tests.search.indexing import index

STEPS = (
    *(
        "says",
        "says",
        "remembers",
        "remembers of a memory",
        "supersedes",
        "forgets",
        "summarizes",
        "compacts",
    ),
    *("forks", "decides", "syncs", "edits a file", "asks", "indexes"),
)


class World:
    """A session, its forks and two projects. Everything made from the source repeats its word."""

    def __init__(self, store: ContextStore, directory: Path) -> None:
        self.store = store
        self.directory = directory
        self.word = f"needle{uuid4().hex}"
        self.session: Session = store.start(project=f"atlas-{uuid4().hex[:8]}", limit=100_000)
        self.project: Project = self.session.memory.project
        self.other: Project = store.project(f"other-{uuid4().hex[:8]}")
        self.source = self.session.message(f"We decided to use {self.word} because it is small.")
        self.sessions = [self.session]
        self.memories: list[tuple[Project, int]] = []

    def step(self, what: str, number: int) -> None:
        session = self.sessions[number % len(self.sessions)]
        memory = self.memories[number % len(self.memories)] if self.memories else None
        if what == "says":
            session.message(f"Module {number} of src/part_{number}.py is done.")
        elif what == "remembers":
            made = self.project.remember(
                f"It is {self.word}.",
                title=f"About {self.word}",
                kind=("knowledge", "lesson", "decision")[number % 3],
                entities=[self.word],
                details={"names": [self.word]},
                sources=[Source(session=session.id, items=(self.source,))],
            )
            self.memories.append((self.project, made))
        elif what == "forks":
            self.sessions.append(session.fork())
        elif what == "summarizes":
            session.summarize()
        elif what == "compacts":
            for _ in range(12):
                session.message("Go on.")
            session.window.compact()
        elif what == "decides":
            session.by("planner").context(4_000)
        elif what == "asks":
            session.context(4_000, query="which one did we decide to use")
        elif what == "indexes":
            index(self.project)
            index(session)
        elif what in ("syncs", "edits a file"):
            self.sync(edits=what == "edits a file")
        elif memory is not None:
            self.memory_step(what, *memory)

    def memory_step(self, what: str, project: Project, memory: int) -> None:
        if what == "remembers of a memory":
            into = self.other if memory % 2 else self.project
            source = Source(session=project.id, items=(memory,))
            self.memories.append((into, into.remember(f"So {self.word} it is.", sources=[source])))
        elif project.memory(memory).left_at is None and what == "supersedes":
            source = Source(session=project.id, items=(memory,))
            made = project.supersede(memory, f"Not {self.word} any more.", sources=[source])
            self.memories.append((project, made))
        elif project.memory(memory).left_at is None and what == "forgets":
            project.forget(memory)

    def sync(self, *, edits: bool) -> None:
        ids = [session.id for session in self.sessions]
        self.store.sync(self.directory, ids, projects=[self.project.name, self.other.name])
        if edits:
            for path in self.directory.glob("memory/*/*.md"):
                path.write_text(path.read_text().replace("It is ", "Surely it is "))
            self.store.sync(self.directory, ids, by="ana")

    def read(self) -> str:
        """Everything that somebody could read of it, bytes in the tables and on the disk."""
        told: list[Any] = []
        for project in (self.project, self.other):
            told += project.memories(past=True, quarantined=True).memories
            told += [found.memory for found in project.recall(self.word, past=True).found]
        told += self.store.search(self.word, sessions=[one.id for one in self.sessions], abandoned=True).hits
        for session in self.sessions:
            session.message("What is it?")
            told.append(session.context(8_000, query=self.word).data.replace(self.word.encode(), b"", 1))
            told.append(session.views.summary())
        for path in self.directory.rglob("*"):
            told.append(path.read_text() if path.is_file() else "")
        return "\n".join(map(str, told))

    def stored(self) -> int:
        """The contents in the database that have the word, but for the queries of contexts."""
        with psycopg.connect(self.store.url) as connection:
            ((found,),) = connection.execute(
                "select count(*) from backstory.contents c join backstory.events e using (stream_id, version) "
                "where position(%s::bytea in c.bytes) > 0 and e.type not like 'context.%%'",
                (self.word.encode(),),
            ).fetchall()
            return int(found)


@examples(8)
@given(steps=st.lists(st.tuples(st.sampled_from(STEPS), st.integers(0, 6)), min_size=3, max_size=12))
def test_whatever_was_made_of_it(
    store: ContextStore, tmp_path_factory: pytest.TempPathFactory, steps: list[tuple[str, int]]
) -> None:
    directory = tmp_path_factory.mktemp("synced")
    world = World(store, directory)
    world.step("remembers", 0)
    for what, number in steps:
        world.step(what, number)
    world.sync(edits=False)
    with pytest.MonkeyPatch.context() as patched:
        patched.setenv("BACKSTORY_SYNC_DIR", str(directory))
        listed = world.session.erase(world.source, "asked to", dry_run=True)
        done = world.session.erase(world.source, "asked to")
    assert (done.contents, done.derived, done.files) == (listed.contents, listed.derived, listed.files)
    assert {(one.project, one.version) for one in done.derived if one.project} == {
        (project.name, memory) for project, memory in all_memories(world)
    }
    assert world.stored() == 0
    assert world.word not in world.read()
    for stream in (*world.sessions, world.project):
        assert stream.verify().ok
    with pytest.raises(Refused, match="has no contents left"):
        world.session.erase(world.source, "asked to")


def all_memories(world: World) -> list[tuple[Project, int]]:
    return [
        (project, memory)
        for project in (world.project, world.other)
        for memory in project.state.memories
        if project.version
    ]
