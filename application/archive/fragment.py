"""Fragments: a part of a session in short, with its decisions, entities, files and times."""

import re
from functools import partial
from typing import Any, NamedTuple
from uuid import UUID

from backstory.application.archive.material import Material, names_of
from backstory.application.contents.reader import ContentReader
from backstory.application.context.summing_up import sum_up
from backstory.application.memory.remember import Maker
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
    session, with a date where it is not the `whole` of it; else the words that the part begins with."""
    if not material.items:
        return None
    source, quoted = _source(runtime, session, state, material)
    count = partial(count_lines, encoding=state.windows[MAIN_WINDOW].encoding or DEFAULT_ENCODING)
    try:
        made = sum_up(runtime.summarizer, source, most_tokens=policy.most_tokens, count=count)
    except SummaryRefused:
        return None
    text = _text(made.document)
    if not text:
        return None
    named = _Title(title) if title else _title(runtime, session, state, material, whole=whole)
    draft = MemoryDraft(
        kind="fragment",
        title=named.text,
        text=text,
        details=_details(made.document, material),
        entities=names_of(material.mentions),
        sources=(Source(session=session, items=tuple(sorted({*material.items, *quoted, *named.source}))),),
    )
    return Drafted(draft, Maker(made.summarizer, made.model, made.prompt_version, made.fallback))


def _source(
    runtime: Runtime, session: UUID, state: ContextState, material: Material
) -> tuple[SummarySource, set[int]]:
    """The source of a part's summary, and the items that it quotes beside the part's messages and decisions."""
    reader = ContentReader.on_branch(runtime, session, state.version)
    last = material.part.versions[-1]
    reached = [
        goal
        for event in reader.events_of_type(GoalCompleted.type)
        if event.version in material.part.versions and isinstance(event.body, GoalCompleted)
        for goal in (event.body.goal, *event.body.closed)
    ]
    goals = {id: goal for id, goal in state.goals.items() if goal.text[0] <= last}
    questions = {id: asked.text for id, asked in state.questions.items() if asked.text[0] <= last}
    constraints = {id: place for id, place in state.constraints.items() if place[0] <= last}
    done = [(goal, 0) for goal in reached]
    texts = reader.texts(
        [*(goal.text for goal in goals.values()), *questions.values(), *constraints.values(), *done]
    )
    mentioned = by_kind(material.mentions)
    source = SummarySource(
        messages=material.said,
        goals=tuple((texts[goal.text], goal.status) for goal in goals.values() if goal.text in texts),
        goals_completed=tuple(texts[place] for place in done if place in texts),
        decisions=tuple((text, why) for _, text, why in material.decisions),
        questions=tuple(texts[place] for place in questions.values() if place in texts),
        constraints=tuple(texts[place] for place in constraints.values() if place in texts),
        files=mentioned["files"],
        entities=names_of(mention for mention in material.mentions if mention.kind != "file"),
    )
    return source, {*goals, *questions, *constraints, *reached}


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


class _Title(NamedTuple):
    """A fragment's title, and the event of the session that it is taken from, if that is not of the part."""

    text: str
    source: tuple[int, ...] = ()


def _title(
    runtime: Runtime, session: UUID, state: ContextState, material: Material, *, whole: bool
) -> _Title:
    """The session's title; else what the part begins with: words from outside of it would outlive their erasure."""
    day = f"{material.ended:%Y-%m-%d}"
    if state.title is not None:
        named = ContentReader.on_branch(runtime, session, state.version).texts([state.title])
        if state.title in named:
            text = named[state.title]
            return _Title(text if whole else f"{text} ({day})", (state.title[0],))
    texts = (opening(material.said), *(message.text for message in material.said))
    titles = (derived_title(text) for text in texts if text)
    derived = next((title for title in titles if title), None)
    if derived is None:
        return _Title(f"Session of {day}")
    return _Title(derived if whole else f"{derived} ({day})")
