"""Fragments: a part of a session in short, with its decisions, entities, files and times."""

import re
from functools import partial
from typing import Any, NamedTuple
from uuid import UUID

from backstory.application.archive.material import Material, names_of
from backstory.application.contents.reader import ContentReader
from backstory.application.context.summing_up import sum_up
from backstory.application.memory.remember import Maker
from backstory.application.queries.session_list import SessionFilter, read_sessions
from backstory.application.runtime import Runtime
from backstory.domain.entities.entities import by_kind
from backstory.domain.errors import SummaryRefused
from backstory.domain.events import GoalCompleted
from backstory.domain.memory.values import MemoryDraft, Source
from backstory.domain.policies.memory import MemoryPolicy
from backstory.domain.state import ContextState
from backstory.domain.summaries.cues import is_result_of_checks
from backstory.domain.summaries.extracts import DONE
from backstory.domain.summaries.objective import opening
from backstory.domain.summaries.offline import SummaryDocument, SummarySource
from backstory.domain.text.titles import derived_title
from backstory.domain.values import DEFAULT_ENCODING, MAIN_WINDOW
from backstory.infrastructure.llm.tokens import count_lines

_QUESTION = re.compile(
    r"(?:is|are|was|were|do|does|did|has|have|where|what|why|how|when|which|who)\b", re.IGNORECASE
)


class Drafted(NamedTuple):
    """A fragment before it is recorded, and who wrote it."""

    draft: MemoryDraft
    maker: Maker


def is_worth_it(material: Material, policy: MemoryPolicy) -> bool:
    """Whether a part of a session becomes a fragment by the policy."""
    important = material.important(policy.important)
    return policy.should_archive(len(material.said), len(material.decisions), important)


def fragment_of(
    runtime: Runtime,
    session: UUID,
    state: ContextState,
    material: Material,
    policy: MemoryPolicy,
    *,
    title: str | None,
    whole: bool,
) -> Drafted | None:
    """The fragment of a part, or None where there is nothing to tell. It has the title that is given; else that of the
    session, where it is the `whole` of it; else the words that the part begins with."""
    if not material.items:
        return None
    source = _source(runtime, session, state, material)
    count = partial(count_lines, encoding=state.windows[MAIN_WINDOW].encoding or DEFAULT_ENCODING)
    try:
        made = sum_up(runtime.summarizer, source, most_tokens=policy.most_tokens, count=count)
    except SummaryRefused:
        return None
    text = _text(made.document)
    if not text:
        return None
    named = title or _title(runtime, session, material, whole=whole)
    draft = MemoryDraft(
        kind="fragment",
        title=named,
        text=text,
        details=_details(made.document, material),
        entities=names_of(material.mentions),
        sources=(Source(session=session, items=material.items),),
    )
    return Drafted(draft, Maker(made.summarizer, made.model, made.prompt_version, made.fallback))


def _source(runtime: Runtime, session: UUID, state: ContextState, material: Material) -> SummarySource:
    reader = ContentReader.on_branch(runtime, session, state.version)
    last = material.part.versions[-1]
    reached = [
        goal
        for event in reader.events_of_type(GoalCompleted.type)
        if event.version in material.part.versions and isinstance(event.body, GoalCompleted)
        for goal in (event.body.goal, *event.body.closed)
    ]
    goals = [(goal.text, goal.status) for goal in state.goals.values() if goal.text[0] <= last]
    questions = [asked.text for asked in state.questions.values() if asked.text[0] <= last]
    constraints = [place for place in state.constraints.values() if place[0] <= last]
    done = [(goal, 0) for goal in reached]
    texts = reader.texts([*(place for place, _ in goals), *questions, *constraints, *done])
    mentioned = by_kind(material.mentions)
    return SummarySource(
        messages=material.said,
        goals=tuple((texts[place], status) for place, status in goals if place in texts),
        goals_completed=tuple(texts[place] for place in done if place in texts),
        decisions=tuple((text, why) for _, text, why in material.decisions),
        questions=tuple(texts[place] for place in questions if place in texts),
        constraints=tuple(texts[place] for place in constraints if place in texts),
        files=mentioned["files"],
        entities=names_of(mention for mention in material.mentions if mention.kind != "file"),
    )


def _details(document: SummaryDocument, material: Material) -> dict[str, Any]:
    told = {
        "from": material.began.isoformat(),
        "to": material.ended.isoformat(),
        "messages": len(material.part.conversation),
        "decisions": [text for _, text, _ in material.decisions] or list(document.decisions),
        "open_questions": list(document.open_questions),
        "next_steps": list(document.next_steps),
        "files": list(document.files),
        "entities": {kind: list(names) for kind, names in by_kind(material.mentions).items() if names},
        "tools": document.tools,
    }
    return {name: value for name, value in told.items() if value}


def _text(document: SummaryDocument) -> str:
    """What is worth reading after the work is over: not how often each tool was called, nor that tests passed once, nor
    a question without its answer."""
    progress = tuple(line for line in document.progress if not is_result_of_checks(line.removeprefix(DONE)))
    said = tuple(line for line in document.said if not _only_asks(line.partition(": ")[2]))
    lasting = document.model_copy(update={"tools": {}, "progress": progress, "said": said})
    kept = lasting if lasting.texts() else document
    return kept.to_markdown().removeprefix("# Session summary").strip()


def _only_asks(text: str) -> bool:
    return text.endswith("?") and _QUESTION.match(text) is not None


def _title(runtime: Runtime, session: UUID, material: Material, *, whole: bool) -> str:
    """The session's title, or what its user first asked for, with the date of a part; where that says too little, what
    the part begins with."""
    (listed,) = read_sessions(runtime, SessionFilter(ids=(session,)), 1)
    day = f"{material.ended:%Y-%m-%d}"
    if listed.title and (listed.titled or " " in listed.title):
        return listed.title if whole else f"{listed.title} ({day})"
    texts = (opening(material.said), *(message.text for message in material.said))
    titles = (derived_title(text) for text in texts if text)
    return next((title for title in titles if title), None) or f"Session of {day}"
