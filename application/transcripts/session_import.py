"""The import of one session: lines that it has are skipped, the others are written in batches."""

import time
from collections import ChainMap, Counter
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import replace
from uuid import UUID

from backstory.application.queries.read_models import read_encodings
from backstory.application.runtime import Runtime
from backstory.application.transcripts.batch import ImportBatch
from backstory.application.transcripts.imported_lines import ImportedLines, pieces
from backstory.application.transcripts.message_parts import MessageJoiner
from backstory.application.transcripts.step_writer import BatchWork, perform
from backstory.application.transcripts.steps import About, Line, StepLine, TranscriptMessage, TranscriptStep
from backstory.application.transfer.importer import Imported
from backstory.application.writing.append import pause_before_retry
from backstory.domain.errors import InvalidInput, Refused, UnknownSession, VersionConflict
from backstory.domain.events import ImportedLine, LinesImported
from backstory.domain.log.references import ContentRef
from backstory.domain.records import Place
from backstory.domain.state import ContextState
from backstory.domain.values import DEFAULT_ENCODING, MAIN_WINDOW

STEPS_A_BATCH = 250
BYTES_A_BATCH = 4 * 2**20
ATTEMPTS = 16
"""Attempts to write a batch while others write to the session."""


class SessionImport:
    """Imports the lines of one file that belong to one session."""

    def __init__(
        self, runtime: Runtime, stream: UUID, format: str, file: str, project: Callable[[str], str | None]
    ) -> None:
        """`project` names the project in the folder that was worked in."""
        self._runtime = runtime
        self._stream = stream
        self._format = format
        self._name = file
        self._project = project
        self._file: str | None = None
        self._joiner = MessageJoiner()
        self._waiting: list[TranscriptStep] = []
        self._waiting_bytes = 0
        self._called: set[str] = set()
        self._became: set[int] = set()
        self._done = Imported(stream, None, 0, 0, 0, 0, 0, 0)
        self._load()

    def take(self, line: Line, steps: Sequence[TranscriptStep]) -> None:
        """Takes a line with its steps."""
        self._count(lines=1)
        if self._file is None:
            keys = {line.key for step in steps for line in step.lines if line.key}
            self._file = self._known.file_beginning(self._name, *line, keys)
        if self._known.has(self._file, *line):
            self._count(already_there=1)
            self._called.update(_joins(steps))
            return
        for step in steps:
            self._wait(self._joiner.add(step))

    def finish(self) -> Imported:
        """Writes the rest and returns the result."""
        self._wait(self._joiner.rest())
        self._commit()
        return self._done

    def _wait(self, steps: Iterable[TranscriptStep]) -> None:
        for step in steps:
            self._waiting.append(step)
            self._waiting_bytes += sum(len(line.data or b"") for line in step.lines)
            if len(self._waiting) >= STEPS_A_BATCH or self._waiting_bytes >= BYTES_A_BATCH:
                self._commit()

    def _load(self) -> None:
        """Reads the lines and the state that the session has."""
        head = self._runtime.log.head(self._stream)
        if head is not None and head.kind != "session":
            raise UnknownSession(f"{self._stream} is not a session.")
        self._state: ContextState | None = None
        self._known = ImportedLines()
        self._encodings = {MAIN_WINDOW: DEFAULT_ENCODING}
        title = None
        if head is not None:
            self._state = self._runtime.reader.state(self._stream).copy()
            self._known = ImportedLines.read(self._runtime, self._stream, self._state.version)
            self._encodings = read_encodings(self._runtime, self._stream)
            title = self._title_of(self._state)
        self._done = self._done._replace(title=title)

    def _title_of(self, state: ContextState) -> str | None:
        if state.title is None:
            return None
        version, part = state.title
        owner = self._runtime.reader.owner(self._stream, version)
        (_, held), *_ = self._runtime.log.rows_with_contents(owner, [version])
        data = held.get(part)
        return None if data is None else data.decode(errors="replace")

    def _commit(self) -> None:
        """Appends the waiting steps. If another writer came first, perhaps with the same lines, they are decided
        again."""
        if not self._waiting:
            return
        for number in range(ATTEMPTS):
            work = self._worked()
            lines_event = self._lines_event(work)
            try:
                work.batch.commit()
                break
            except VersionConflict:
                if number == ATTEMPTS - 1:
                    raise
            time.sleep(pause_before_retry(number))
            self._load()
        if lines_event is not None:
            version, body, salts = lines_event
            self._known.add(version, body, salts)
            secrets = Counter(self._done.secrets) + Counter(body.secrets)
            self._done = self._done._replace(secrets=dict(sorted(secrets.items())))
        self._state = work.batch.state
        self._called = work.called
        self._became |= {line.number for line, _, version in work.entries if version is not None}
        ended = [line.number for line, _, _ in work.entries if line.data is not None]
        self._done = self._done._replace(title=work.title)
        self._count(
            messages=work.messages,
            exchanges=work.exchanges,
            compactions=work.compactions,
            kept_as_they_are=sum(number not in self._became for number in ended),
        )
        self._waiting.clear()
        self._waiting_bytes = 0

    def _count(self, **more: int) -> None:
        self._done = self._done._replace(**{name: getattr(self._done, name) + n for name, n in more.items()})

    def _worked(self) -> BatchWork:
        """A batch of the waiting steps."""
        batch = ImportBatch.on(self._runtime, self._stream, self._state, self._encodings)
        versions = ChainMap({}, self._known.versions)
        work = BatchWork(batch, self._format, versions, set(self._called), self._done.title)
        if self._state is None:
            self._start(work)
        for step in self._waiting:
            self._take_in(work, step)
        return work

    def _start(self, work: BatchWork) -> None:
        about = _together(step.about for step in self._waiting if step.about is not None)
        first = next((step.at for step in self._waiting if step.at is not None), None)
        writer = work.batch if first is None else work.batch.occurred(first)
        project = about.project or self._project(about.cwd or "")
        writer.start(about.title, [self._format], project, about.model)
        work.title = about.title
        if about.agent is not None and about.agent_version is not None:
            writer.details.join(about.agent, version=about.agent_version)

    def _take_in(self, work: BatchWork, step: TranscriptStep) -> None:
        """Writes a step, unless an earlier line had the same. A step that cannot be written, such as a result without
        a call, is kept as its line alone."""
        keys = [line.key or _place_name(self._file, step, line) for line in step.lines]
        known = [version for key in keys if key and (version := work.versions.get(key)) is not None]
        versions: list[int] = known[:1]
        if step.action is not None and not known:
            with suppress(InvalidInput, Refused):
                versions = perform(work, step)
        version = versions[0] if versions else None
        for line, key in zip(step.lines, keys, strict=True):
            assert self._file is not None
            if line.data is not None and self._known.has(self._file, line.number, line.data):
                continue
            work.entries.append((line, key, version))
            work.entries += [
                (line._replace(data=None), f"{key} {n}"[-200:], more)
                for n, more in enumerate(versions[1:], 2)
            ]
            if key is not None:
                work.versions[key] = version

    def _lines_event(self, work: BatchWork) -> tuple[int, LinesImported, dict[Place, bytes]] | None:
        """Writes the event with the lines at the end of the batch. Returns its version, its body, and the salts by
        place."""
        if not work.entries:
            return None
        bundle = work.batch.bundle()
        kinds: dict[int, str] = {}
        contents: dict[int, tuple[ContentRef, ...]] = {}
        events: dict[int, dict[str, int | None]] = {}
        for line, key, version in work.entries:
            number, data = line.number, line.data
            kinds.setdefault(number, line.kind)
            if key is not None:
                events.setdefault(number, {})[key] = version
            if data is not None:
                media_type = "application/json" if data.lstrip()[:1] == b"{" else "text/plain"
                contents[number] = tuple(
                    # A line holds what tools said, among others.
                    bundle.seal("line", piece, media_type, of_tool=True)
                    for piece in pieces(data)
                )
        lines = (
            ImportedLine(
                number=number,
                kind=kind,
                contents=contents.get(number, ()),
                events=events.get(number, {}),
            )
            for number, kind in kinds.items()
        )
        assert self._file is not None
        body = LinesImported(
            format=self._format, file=self._file, lines=tuple(lines), secrets=dict(Counter(bundle.flags))
        )
        # With the newest of its lines: a log of the session stays in the session's own time.
        last = next((step.at for step in reversed(self._waiting) if step.at is not None), None)
        writer = work.batch if last is None else work.batch.occurred(last)
        at = writer.note(bundle, body)
        return at, body, {(at, content.part): content.salt for content in bundle.contents}


def _place_name(file: str | None, step: TranscriptStep, line: StepLine) -> str | None:
    """The key of a line that has no id of its own."""
    return None if step.action is None else f"{file} line {line.number}"[-200:]


def _joins(steps: Iterable[TranscriptStep]) -> set[str]:
    return {
        step.action.joins
        for step in steps
        if isinstance(step.action, TranscriptMessage) and step.action.joins
    }


def _together(abouts: Iterable[About]) -> About:
    """The properties of a session from several steps. The first value of each field counts."""
    known = About()
    for about in abouts:
        named = {name: getattr(about, name) for name in About.__dataclass_fields__}
        news = {name: value for name, value in named.items() if getattr(known, name) is None}
        known = replace(known, **news)
    return known
