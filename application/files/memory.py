"""Memory files: what agents have noted, what people prefer, what is known of the project.

| saved as | stands in |
|---|---|
| `lesson` | its agent's notes |
| `preference` | `boss-preferences.md`, in the section that its name says, and its agent's notes |
| `glossary`, `business_rule`, `integration`, `known_issue` | `project-knowledge.md` |
"""

import hashlib
import re
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from backstory.application.contents.source import message_of
from backstory.application.files.views import View, said_in
from backstory.application.queries.hot_context import by_urgency
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
_REMEMBERED = {"lesson", "preference", *KNOWLEDGE}
_UNSAFE = re.compile(r"[^a-z0-9]+")


class Memory(NamedTuple):
    """Something that was saved to be remembered."""

    type: str
    text: str
    name: str | None
    agent: str | None


def memory_files(views: Sequence[View]) -> dict[str, bytes]:
    """By name below the memory folder."""
    memories = {view.id: list(_memories(view)) for view in views}
    everything = [memory for found in memories.values() for memory in found]
    pages = {
        "boss-preferences.md": _page("Boss Preferences", _preferences(everything)),
        "project-knowledge.md": _page("Project Knowledge", _knowledge(views, everything)),
    }
    for slug, names in _agents(views).items():
        pages[f"{slug}-notes.md"] = _page(", ".join(names), _notes(names, views, memories))
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


def _agents(views: Sequence[View]) -> dict[str, list[str]]:
    """Names of all who take part, by the name of their file: names that differ only in signs share one."""
    found: dict[str, list[str]] = {}
    for name in sorted({name for view in views for name in (*view.state.agents, *view.listed.agents)}):
        found.setdefault(_slug(name), []).append(name)
    return found


def _slug(name: str) -> str:
    plain = _UNSAFE.sub("-", name.lower()).strip("-")[:60]
    if plain and name.isascii():
        return plain
    return f"{plain or 'agent'}-{hashlib.sha256(name.encode(errors='replace')).hexdigest()[:8]}"


def _notes(
    names: list[str], views: Sequence[View], memories: dict[str, list[Memory]]
) -> list[tuple[str, list[str]]]:
    mine = [view for view in views if {*names} & {*view.state.agents, *view.listed.agents}]
    saved = [memory for view in mine for memory in memories[view.id] if memory.agent in names]
    return [
        ("Active tasks", [line for view in mine for line in _tasks(view, names)]),
        ("Key decisions log", [line for view in mine for line in _decisions(view, names)]),
        ("Open questions", [line for view in mine for line in _questions(view, names)]),
        ("Boss preferences learned", [_named(memory) for memory in saved if memory.type == "preference"]),
        ("Current context summary", [line for view in mine for line in _context(view)]),
        ("Lessons learned", [_named(memory) for memory in saved if memory.type == "lesson"]),
    ]


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
    for note, row in zip(view.state.decisions, view.hot["key_decisions"], strict=True):
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


def _preferences(memories: Sequence[Memory]) -> list[tuple[str, list[str]]]:
    sections: dict[str, list[str]] = {name: [] for name in PREFERENCES}
    known = {name.casefold(): name for name in PREFERENCES}
    for memory in memories:
        if memory.type == "preference":
            section = known.get((memory.name or "").casefold())
            said = _line(memory.text) if section else _named(memory)
            sections.setdefault(section or OTHER, []).append(said)
    return list(sections.items())


def _knowledge(views: Sequence[View], memories: Sequence[Memory]) -> list[tuple[str, list[str]]]:
    sections: dict[str, list[str]] = {name: [] for name in KNOWLEDGE.values()}
    for view in views:
        sections[KNOWLEDGE["constraint"]] += [_line(text) for text in view.hot["important_constraints"]]
        sections[KNOWLEDGE["known_issue"]] += _open_errors(view)
    for memory in memories:
        if memory.type in KNOWLEDGE:
            sections[KNOWLEDGE[memory.type]].append(_named(memory))
    return list(sections.items())


def _open_errors(view: View) -> list[str]:
    items = [view.state.items[key] for key in sorted(view.state.errors) if key in view.state.items]
    messages = view.contents.messages(items)
    return [_line(said_in(messages[item.id])) if item.id in messages else _line(None) for item in items]


def _named(memory: Memory) -> str:
    return f"{_line(memory.name)}: {_line(memory.text)}" if memory.name else _line(memory.text)


def _page(title: str, sections: Iterable[tuple[str, list[str]]]) -> str:
    """A page with every section of its kind, each line once."""
    parts = [f"{MARK}# {_line(title)}"]
    for name, listed in sections:
        parts.append("\n".join([f"## {name}", "", *(f"- {line}" for line in dict.fromkeys(listed))]).rstrip())
    return "\n\n".join(parts) + "\n"


def _line(text: str | None) -> str:
    return "(erased)" if text is None else " ".join(text.split())
