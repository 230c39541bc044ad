"""Memory files: what agents have noted, what people prefer, what is known of the project.

| saved as | stands in |
|---|---|
| `lesson` | its agent's notes |
| `preference` | `boss-preferences.md`, in the section that its name says, and its agent's notes |
| `glossary`, `business_rule`, `integration`, `known_issue` | `project-knowledge.md` |
"""

import hashlib
import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import NamedTuple

from backstory.application.contents.source import message_of
from backstory.application.files.views import View
from backstory.application.queries.hot_context import by_urgency, decision_rows, decisions_on
from backstory.application.queries.recent_history import said_in
from backstory.domain.errors import ContentErased
from backstory.domain.events import ItemDeprecated, ItemSaved
from backstory.domain.values import Priority

MARK = "<!-- Written by `backstory sync`: what is changed here is lost. -->\n"
PREFERENCES = (
    "Communication style",
    "Decision making patterns",
    "Working hours",
    "Technical preferences",
    "Quality standards",
)
OTHER = "Other preferences"
KNOWLEDGE = {
    "glossary": "Domain glossary",
    "business_rule": "Business rules",
    "constraint": "Technical constraints",
    "integration": "Integration points",
    "known_issue": "Known issues",
}
NOTES = (
    "Active tasks",
    "Key decisions log",
    "Open questions",
    "Boss preferences learned",
    "Current context summary",
    "Lessons learned",
)
_REMEMBERED = {"lesson", "preference", *KNOWLEDGE}
_UNSAFE = re.compile(r"[^a-z0-9]+")


class Memory(NamedTuple):
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
        agents.setdefault(_slug(name), []).append(name)
    return SessionMemory(
        agents,
        {slug: _notes(names, view, memories) for slug, names in agents.items()},
        _preferences(memories),
        _knowledge(view, memories),
    )


def memory_files(memories: Sequence[SessionMemory]) -> dict[str, bytes]:
    """By name below the memory folder."""
    pages = {
        "boss-preferences.md": _page("Boss Preferences", PREFERENCES, [one.preferences for one in memories]),
        "project-knowledge.md": _page(
            "Project Knowledge", KNOWLEDGE.values(), [one.knowledge for one in memories]
        ),
    }
    for slug in sorted({slug for one in memories for slug in one.agents}):
        names = sorted({name for one in memories for name in one.agents.get(slug, ())})
        notes = [one.notes[slug] for one in memories if slug in one.notes]
        pages[f"{slug}-notes.md"] = _page(", ".join(names), NOTES, notes)
    return {name: page.encode(errors="replace") for name, page in pages.items()}


def _memories(view: View) -> Iterator[Memory]:
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
            yield Memory(item.type, said_in([message_of(event, held)]), body.name, item.agent)
        except ContentErased:
            continue


def _slug(name: str) -> str:
    plain = _UNSAFE.sub("-", name.lower()).strip("-")[:60]
    if plain and name.isascii():
        return plain
    return f"{plain or 'agent'}-{hashlib.sha256(name.encode(errors='replace')).hexdigest()[:8]}"


def _notes(names: list[str], view: View, memories: Sequence[Memory]) -> Sections:
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


def _preferences(memories: Sequence[Memory]) -> Sections:
    sections: Sections = {}
    known = {name.casefold(): name for name in PREFERENCES}
    for memory in memories:
        if memory.type == "preference":
            section = known.get((memory.name or "").casefold())
            said = _line(memory.text) if section else _named(memory)
            sections.setdefault(section or OTHER, []).append(said)
    return sections


def _knowledge(view: View, memories: Sequence[Memory]) -> Sections:
    sections: Sections = {
        KNOWLEDGE["constraint"]: [_line(text) for text in view.hot["important_constraints"]],
        KNOWLEDGE["known_issue"]: _open_errors(view),
    }
    for memory in memories:
        if memory.type in KNOWLEDGE:
            sections.setdefault(KNOWLEDGE[memory.type], []).append(_named(memory))
    return sections


def _open_errors(view: View) -> list[str]:
    items = [view.state.items[key] for key in sorted(view.state.errors) if key in view.state.items]
    messages = view.contents.messages(items)
    return [_line(said_in(messages[item.id])) if item.id in messages else _line(None) for item in items]


def _named(memory: Memory) -> str:
    return f"{_line(memory.name)}: {_line(memory.text)}" if memory.name else _line(memory.text)


def _page(title: str, always: Collection[str], sessions: Iterable[Sections]) -> str:
    """A page with every section of its kind, each line once."""
    sections: dict[str, dict[str, None]] = {name: {} for name in always}
    for session in sessions:
        for name, lines in session.items():
            sections.setdefault(name, {}).update(dict.fromkeys(lines))
    parts = [f"{MARK}# {_line(title)}"]
    for name, listed in sections.items():
        parts.append("\n".join([f"## {name}", "", *(f"- {line}" for line in listed)]).rstrip())
    return "\n\n".join(parts) + "\n"


def _line(text: str | None) -> str:
    return "(erased)" if text is None else " ".join(text.split())
