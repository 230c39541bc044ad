"""Records fresh contexts: texts of files once with the project, the rest in the task's own session; and reads them
again."""

import hashlib
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from uuid import UUID, uuid5

from backstory.application.contents.items import ItemReader
from backstory.application.contents.reader import ContentReader
from backstory.application.context.rebuild import Gone, fresh_parts, material_at
from backstory.application.handle import SessionHandle
from backstory.application.memory.streams import newest_version, project_handle, start_if_new
from backstory.application.runtime import Runtime
from backstory.application.session import Session
from backstory.application.start import start_session
from backstory.application.tasks.builder import FRAME, BuiltContext
from backstory.application.writing.content_bundle import ContentBundle
from backstory.domain import events as e
from backstory.domain.commands import facts
from backstory.domain.commands.memory import project_id
from backstory.domain.context.composition import Composed
from backstory.domain.errors import ContentErased, NotFound
from backstory.domain.events import Section
from backstory.domain.log.ranges import as_ranges
from backstory.domain.records import Place
from backstory.domain.tasks import render
from backstory.domain.tasks.context import TaskContext
from backstory.domain.tasks.material import LARGE, KeptCode, KeptFile, KeptMemory, KeptText, TaskMaterial
from backstory.domain.tasks.render import FreshParts
from backstory.domain.tasks.values import TaskSpec
from backstory.domain.values import label
from backstory.infrastructure.postgres.queries import query

TAG = "task"
"""The tag of the sessions of tasks."""
POLICY = "fresh"
"""The policy that a recorded fresh context names."""


def task_session_id(project: str, task: str) -> UUID:
    """The id of a task's session, which follows from the names of both."""
    return uuid5(project_id(project), f"task/{label('task', task)}")


def composed_context(
    built: BuiltContext,
    agent: str | None,
    at: datetime,
    session: UUID | None = None,
    version: int | None = None,
) -> TaskContext:
    """A context that was just built."""
    material = _material(built, {})
    return _context(
        material,
        built.parts,
        render.compose_fresh(built.options.format, built.parts),
        agent,
        at,
        session,
        version,
    )


def record(runtime: Runtime, built: BuiltContext, agent: str | None) -> TaskContext:
    """Records a context in the session of its task, which is started or continued."""
    at = datetime.now(UTC)
    composed = render.compose_fresh(built.options.format, built.parts)
    project = project_handle(runtime, built.project.name).with_(actor=agent)
    start_if_new(project, built.project.name)
    material = _material(built, _recorded_texts(project, list(_texts(built))))
    session = _working_session(runtime, built, agent)
    handle = session._handle
    bundle = ContentBundle()
    ref = bundle.seal("material", material.model_dump_json().encode(), "application/json")
    gathered = handle.write(
        bundle,
        facts.note(e.MaterialGathered, task=built.task.id, agent=agent, material=ref),
    )
    change = facts.assemble_context(
        (),
        at=gathered,
        as_of=at,
        format=built.options.format,
        renderer=render.VERSION,
        encoding=built.encoding,
        policy=POLICY,
        agent=agent,
        budget=built.budget.total,
        reserve=built.budget.reserved,
        project=built.project.name,
        project_version=newest_version(runtime, project.id),
        material=gathered,
        sections=tuple(_sections(built)),
        left_out={"files": len(built.left_out)} if built.left_out else {},
        tokens=built.tokens.total - built.tokens.reserved,
        prompt_sha256=hashlib.sha256(composed.data).hexdigest(),
        prompt_bytes=len(composed.data),
    )
    version = handle.write(ContentBundle(), change)
    return _context(material, built.parts, composed, agent, at, session.id, version)


def read_context(runtime: Runtime, session: UUID, version: int) -> TaskContext:
    """A recorded context, made again from the log."""
    log = runtime.reader.log_of(session, runtime.require_head(session).version)
    if not log.contains(version):
        raise NotFound(f"version {version} does not exist in this session.")
    event = ContentReader(runtime, log).events([version])[version]
    body = event.body
    if not isinstance(body, e.ContextAssembled) or body.material is None:
        raise NotFound(f"version {version} is {event.type}, not a task's context.")
    runtime.agent(body.agent)
    owner = event.stream
    reader = ItemReader(runtime, owner, runtime.reader.state(owner, body.at), erasure=None)
    parts = fresh_parts(reader, body, body.material)
    material = None if isinstance(parts, Gone) else material_at(reader, body.material)
    if isinstance(parts, Gone) or material is None:
        raise ContentErased(f"something that context {version} shows was erased.")
    composed = render.compose_fresh(body.format, parts)
    return _context(material, parts, composed, body.agent, body.as_of, owner, version)


def _context(
    material: TaskMaterial,
    parts: FreshParts,
    composed: Composed,
    agent: str | None,
    at: datetime,
    session: UUID | None,
    version: int | None,
) -> TaskContext:
    sha256 = hashlib.sha256(composed.data).hexdigest()
    return TaskContext(
        repo_map=material.repo_map,
        codebase_docs=material.docs,
        project_config=material.project,
        task_spec=material.task,
        relevant_files=tuple(parts.files),
        relevant_code=tuple(parts.code),
        relevant_memories=tuple(parts.memories),
        conversation_history=(),
        token_count=material.tokens.total - material.tokens.reserved,
        token_budget=material.budget.total,
        generated_at=at,
        context_id=sha256[:32] if session is None else f"{session}/{version}",
        agent=agent,
        budget=material.budget,
        breakdown=material.tokens,
        system_prompt=material.system_prompt,
        notes=material.notes,
        left_out=material.left_out,
        format=material.options.format,
        messages=composed.messages,
        system=composed.system,
        text=composed.text,
        data=composed.data,
        sha256=sha256,
        session=session,
        version=version,
    )


# Texts of files


def _texts(built: BuiltContext) -> Iterator[str]:
    yield from (one.text for one in built.files)
    yield from (one.text for one in built.code)


def _recorded_texts(project: SessionHandle, texts: Sequence[str]) -> dict[str, Place]:
    """Where the project holds the large ones of some texts. Those that it does not hold yet are recorded."""
    by_print = {hashlib.sha256(data).digest(): text for text in texts if len(data := text.encode()) > LARGE}
    if not by_print:
        return {}
    parameters = {"stream": project.id, "fingerprints": list(by_print)}
    rows = project.runtime.database.read(
        lambda c: c.execute(query("recorded_texts"), parameters, binary=True).fetchall()
    )
    found = {by_print[fingerprint]: (version, part) for fingerprint, version, part in rows}
    missing = [text for text in by_print.values() if text not in found]
    if missing:
        bundle = ContentBundle()
        refs = [bundle.text("files", text) for text in missing]
        version = project.write(bundle, facts.note(e.FilesRecorded, files=tuple(refs)))
        found |= {text: (version, ref.part) for text, ref in zip(missing, refs, strict=True)}
    return found


def _material(built: BuiltContext, places: dict[str, Place]) -> TaskMaterial:
    def kept(text: str) -> KeptText:
        place = places.get(text)
        return KeptText(text=text) if place is None else KeptText(version=place[0], part=place[1])

    return TaskMaterial(
        task=built.task,
        project=built.project,
        options=built.options,
        budget=built.budget,
        system_prompt=built.system_prompt,
        docs=built.docs,
        docs_text=built.docs_text,
        repo_map=built.repo_map,
        files=tuple(
            KeptFile(
                path=one.content.path,
                language=one.content.language,
                reason=one.content.reason,
                text=kept(one.text),
                ranges=one.excerpt.ranges,
                notes=one.excerpt.notes,
            )
            for one in built.files
        ),
        code=tuple(
            KeptCode(
                path=one.path,
                first=one.first,
                last=one.last,
                kind=one.kind,
                name=one.name,
                text=kept(one.text),
                relevance=one.relevance,
            )
            for one in built.code
        ),
        memories=tuple(KeptMemory.of(one, foreign=built.foreign_memories) for one in built.memories),
        notes=tuple(built.notes),
        left_out=tuple(built.left_out),
        notes_text=built.notes_text,
        tokens=built.tokens,
    )


def _sections(built: BuiltContext) -> Iterator[Section]:
    tokens = built.tokens
    yield Section(name="frame", tokens=FRAME)
    yield Section(name="system", tokens=tokens.system_prompt - FRAME)
    yield Section(name=render.DOCS, tokens=tokens.codebase_docs)
    yield Section(name=render.MAP, tokens=tokens.repo_map)
    memories = [] if built.foreign_memories else sorted(one.id for one in built.memories)
    yield Section(name=render.MEMORY, tokens=tokens.memories, items=as_ranges(memories))
    yield Section(name=render.FILES, tokens=tokens.files, shown=len(built.files))
    yield Section(name=render.CODE, tokens=tokens.code_results, shown=len(built.code))
    yield Section(name=render.TASK, tokens=tokens.task_spec)


# The task's session


def _working_session(runtime: Runtime, built: BuiltContext, agent: str | None) -> Session:
    """The session of the task: started, or opened again after its end, with the task as it is asked for now."""
    task, id = built.task, task_session_id(built.project.name, built.task.id)
    head = runtime.log.head(id)
    if head is None:
        handle = start_session(
            runtime,
            id,
            title=render.one_line(task.name)[:200],
            tags=(TAG,),
            project=built.project.name,
            window={"limit": None, "encoding": built.encoding, "model": None},
            actor=agent,
            occurred=None,
            key=None,
        )
    else:
        handle = SessionHandle.of(runtime, id)
    session = Session(handle)
    writer = session if agent is None else session.by(agent)
    if agent is not None and agent not in session.state.agents:
        writer.details.join(agent)
    if session.state.status != "open":
        writer.resume()
    _start(writer, task)
    return writer


def _start(session: Session, task: TaskSpec) -> None:
    """Starts the task, unless it goes on as it is."""
    open_ = session.state.tasks.get(task.id)
    if open_ is not None:
        places = [open_.text, *open_.acceptance_criteria]
        texts = ContentReader.on_branch(session._runtime, session.id, session.version).texts(places)
        said = [texts.get(place) for place in places]
        if said == [_words(task), *task.acceptance_criteria]:
            return
        session.items.deprecate(open_.item)
    session.work.start_task(
        task.id,
        _words(task),
        acceptance_criteria=task.acceptance_criteria,
        depends_on_files=list(dict.fromkeys((*task.files, *task.dependencies)))[:100],
    )


def _words(task: TaskSpec) -> str:
    return "\n\n".join(filter(None, (task.name, task.description)))
