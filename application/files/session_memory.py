"""The part of a session in the memory files of its project: its tasks, decisions and questions, and the items that were
saved to be remembered.

| saved as | stands in |
|---|---|
| `lesson` | its agent's notes |
| `preference` | `boss-preferences.md`, in the section that its name says, and its agent's notes |
| `glossary`, `business_rule`, `integration`, `known_issue` | `project-knowledge.md` |
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from backstory.application.contents.source import message_of
from backstory.application.files.views import View
from backstory.application.queries.hot_context import by_urgency, decision_rows, decisions_on
from backstory.application.queries.recent_history import said_in
from backstory.domain.errors import ContentErased
from backstory.domain.events import ItemDeprecated, ItemSaved
from backstory.domain.memory_pages.places import KNOWLEDGE, NOTES, OTHER_PREFERENCES, PREFERENCES, slug
from backstory.domain.values import Priority

KNOWLEDGE_OF = {
    "glossary": KNOWLEDGE[0],
    "business_rule": KNOWLEDGE[1],
    "constraint": KNOWLEDGE[2],
    "integration": KNOWLEDGE[3],
    "known_issue": KNOWLEDGE[4],
}
_REMEMBERED = {"lesson", "preference", *KNOWLEDGE_OF}


class SavedMemory(NamedTuple):
    """Something that was saved to be remembered."""

    type: str
    text: str
    name: str | None
    agent: str | None


Sections = dict[str, list[str]]
"""The lines of a page, by section."""


class SessionMemory(NamedTuple):
    """The part of one session in the memory files."""

    agents: dict[str, list[str]]
    """The names of all who take part, by the name of their file: names that differ only in signs share one."""
    notes: dict[str, Sections]
    preferences: Sections
    knowledge: Sections


def session_memory(view: View) -> SessionMemory:
    """The part of a session in the memory files."""
    memories = list(_memories(view))
    agents: dict[str, list[str]] = {}
    for name in sorted({*view.state.agents, *view.listed.agents}):
        agents.setdefault(slug(name), []).append(name)
    return SessionMemory(
        agents,
        {file: _notes(names, view, memories) for file, names in agents.items()},
        _preferences(memories),
        _knowledge(view, memories),
    )


def _memories(view: View) -> Iterator[SavedMemory]:
    """The memories on the branch that are not deprecated, oldest first."""
    gone = {
        event.body.item
        for event in view.contents.events_of_type(ItemDeprecated.type)
        if isinstance(event.body, ItemDeprecated)
    }
    kept = [
        event
        for event in view.contents.events_of_type(ItemSaved.type, besides=gone)
        if (item := event.effects.brings) is not None
        and item.type in _REMEMBERED
        and view.may_see(item.private, item.agent)
    ]
    held = view.contents.bytes_of(event.version for event in kept)
    for event in kept:
        item, body = event.effects.brings, event.body
        assert item is not None
        assert isinstance(body, ItemSaved)
        try:
            yield SavedMemory(item.type, said_in([message_of(event, held)]), body.name, item.agent)
        except ContentErased:
            continue


def _notes(names: list[str], view: View, memories: Sequence[SavedMemory]) -> Sections:
    saved = [memory for memory in memories if memory.agent in names]
    lines = (
        list(_tasks(view, names)),
        list(_decisions(view, names)),
        list(_questions(view, names)),
        [_named(memory) for memory in saved if memory.type == "preference"],
        list(_context(view)),
        [_named(memory) for memory in saved if memory.type == "lesson"],
    )
    return dict(zip(NOTES, lines, strict=True))


def _tasks(view: View, names: list[str]) -> Iterator[str]:
    state = view.state
    actions = [key for key in by_urgency(state) if state.actions[key].assignee in (None, *names)]
    places = [task.text for task in state.tasks.values()] + [state.actions[key].text for key in actions]
    texts = view.contents.texts(places)
    for name, task in state.tasks.items():
        yield f"{name}: {_line(texts.get(task.text))}"
    for key in actions:
        action = state.actions[key]
        yield f"{_line(texts.get(action.text))} ({Priority(action.priority).p_name})"


def _decisions(view: View, names: list[str]) -> Iterator[str]:
    """Every decision of the branch, the oldest first."""
    notes = decisions_on(view.contents)
    for note, row in zip(notes, decision_rows(notes, view.contents), strict=True):
        if note.decided_by in (None, *names) or note.recorded_by in names:
            why = f" Rationale: {_line(row['rationale'])}" if row["rationale"] else ""
            yield f"{row['timestamp']} {row['decision_id']}: {_line(row['decision'])}.{why}"


def _questions(view: View, names: list[str]) -> Iterator[str]:
    questions = {
        key: question
        for key, question in sorted(view.state.questions.items())
        if question.asked_by in (None, *names)
    }
    texts = view.contents.texts(question.text for question in questions.values())
    for question in questions.values():
        yield _line(texts.get(question.text))


def _context(view: View) -> Iterator[str]:
    goals = [_line(goal["goal"]) for goal in view.hot["active_goals"]]
    files = view.hot["current_file_context"]["files"] or list(view.listed.primary_files)
    yield f"{_line(view.title)} ({view.listed.messages} messages, {view.listed.status})"
    if goals:
        yield f"goals: {'; '.join(goals)}"
    if files:
        yield f"files: {', '.join(files)}"


def _preferences(memories: Sequence[SavedMemory]) -> Sections:
    sections: Sections = {}
    known = {name.casefold(): name for name in PREFERENCES}
    for memory in memories:
        if memory.type == "preference":
            section = known.get((memory.name or "").casefold())
            said = _line(memory.text) if section else _named(memory)
            sections.setdefault(section or OTHER_PREFERENCES, []).append(said)
    return sections


def _knowledge(view: View, memories: Sequence[SavedMemory]) -> Sections:
    sections: Sections = {
        KNOWLEDGE_OF["constraint"]: [_line(text) for text in view.hot["important_constraints"]],
        KNOWLEDGE_OF["known_issue"]: _open_errors(view),
    }
    for memory in memories:
        if memory.type in KNOWLEDGE_OF:
            sections.setdefault(KNOWLEDGE_OF[memory.type], []).append(_named(memory))
    return sections


def _open_errors(view: View) -> list[str]:
    items = [view.state.items[key] for key in sorted(view.state.errors) if key in view.state.items]
    messages = view.contents.messages(items)
    return [_line(said_in(messages[item.id])) if item.id in messages else _line(None) for item in items]


def _named(memory: SavedMemory) -> str:
    return f"{_line(memory.name)}: {_line(memory.text)}" if memory.name else _line(memory.text)


def _line(text: str | None) -> str:
    return "(erased)" if text is None else " ".join(text.split())
