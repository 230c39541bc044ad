"""Renders docs/reference/policies.md from the policies themselves."""

from collections.abc import Mapping
from dataclasses import MISSING, Field, fields
from pathlib import Path
from typing import Any

from backstory.domain.policies.artifacts import ArtifactPolicy
from backstory.domain.policies.assembly import AssemblyPolicy
from backstory.domain.policies.importance import ImportancePolicy
from backstory.domain.policies.memory import MemoryPolicy
from backstory.domain.policies.pruning import PruningPolicy
from backstory.domain.policies.safety import SafetyPolicy
from backstory.domain.policies.summary import SummaryPolicy
from backstory.domain.policies.tiers import TierPolicy
from backstory.domain.policies.window import WindowPolicy
from scripts.reference_events import meanings_of

PAGE = Path("docs/reference/policies.md")

POLICIES: dict[type, str] = {
    AssemblyPolicy: (
        "Given to `session.context(policy=…)`. The event names the policy and keeps every number that differs from the "
        "defaults."
    ),
    SummaryPolicy: "Given to `session.context(summary=…)`, with None for never, and to `session.summarize(policy=…)`.",
    ImportancePolicy: (
        "How much an item matters when the caller does not say (`importance=…`), and the tier that follows. It is "
        "applied when an item is recorded; the number in the event is what counts from then on."
    ),
    MemoryPolicy: (
        "Chosen for a project with `project.choose(policy)`, which is an event. What is made by it names it. The first "
        "importance of a memory counts when it is recorded."
    ),
    ArtifactPolicy: (
        "Chosen for a project with `project.artifacts.choose(policy)`, which is an event, or by its `config.json`."
    ),
    SafetyPolicy: (
        "Chosen for a project with `project.safety.choose(policy)`, which is an event; without that, "
        "`BACKSTORY_SECRETS` and `BACKSTORY_INSTRUCTIONS` say what a process does."
    ),
    TierPolicy: (
        "Chosen for a session with `session.window.choose_policy(policy)`, which is an event; "
        "each update of its tiers names it."
    ),
    PruningPolicy: (
        "Chosen for a session with `session.window.choose_policy(policy)`, which is an event, or given to "
        "`session.window.prune(pruning=…)` and `session.window.recover(pruning=…)`; each prune names it."
    ),
    WindowPolicy: (
        "Chosen for a session with `session.window.choose_policy(policy)`, which is an event; "
        "each compaction, stub and alert names it."
    ),
}


def render() -> str:
    parts = [
        "# Policies\n",
        "Policies hold the numbers for building contexts, summarizing sessions, weighing messages and managing "
        "windows. Each policy is a frozen dataclass. Pass the fields that differ from the defaults. An invalid number "
        "raises `InvalidInput`.\n",
    ]
    parts += [_section(policy, used) for policy, used in POLICIES.items()]
    return "\n".join(parts)


def _section(policy: type, used: str) -> str:
    meanings = meanings_of(policy)
    rows = [
        f"| `{field.name}` | {_default(field)} | {' | '.join(meaning_and_reason(meanings[field.name]))} |"
        for field in fields(policy)
    ]
    lead = " ".join((policy.__doc__ or "").split("\n\n")[0].split())
    head = ["| field | default | meaning | reason |", "|---|---|---|---|"]
    return "\n".join([f"## {policy.__name__}\n", f"{lead} {used}\n", *head, *rows, ""])


def meaning_and_reason(text: str) -> tuple[str, str]:
    """What stands below a field, before and after `Why:`."""
    meaning, _, reason = text.partition(" Why: ")
    return meaning, reason[:1].upper() + reason[1:]


def _default(field: "Field[Any]") -> str:
    return _shown(field.default if field.default is not MISSING else field.default_factory())  # type: ignore[misc]


def _shown(value: Any) -> str:
    if isinstance(value, Mapping):
        return ", ".join(f"{name} {_shown(one)}" for name, one in value.items())
    if isinstance(value, tuple):
        is_range = all(isinstance(one, int | float) for one in value)
        return (" to " if is_range else ", ").join(map(_shown, value))
    if isinstance(value, bool):
        return "on" if value else "off"
    if isinstance(value, int):
        return f"{value:,}"
    return str(value) if isinstance(value, float) else f"`{value}`"
