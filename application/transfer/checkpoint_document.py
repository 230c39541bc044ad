"""A checkpoint with everything it holds, made from a database or from an exported file alike."""

import json
from collections.abc import Iterable
from typing import Any

from backstory.application.contents.source import ItemSource
from backstory.domain.context_document.rules import LAYER_NAMES
from backstory.domain.context_document.sources import exported_time
from backstory.domain.events import CheckpointTaken, Event
from backstory.domain.fold.evolve import FOLD_VERSION
from backstory.domain.records import CONVERSATION_TYPES, Place
from backstory.domain.state import ContextState
from backstory.domain.summaries.lines import cut, one_line
from backstory.domain.values import microseconds
from backstory.domain.window.checkpoints import checkpoint_contents

LONGEST_MESSAGE = 400
"""Characters of each message in the compressed conversation. The record in the file has them whole."""


def checkpoint_document(source: ItemSource, event: Event) -> dict[str, Any]:
    """The sections of a checkpoint, by the Moderator document's names. The source reads on the state right after the
    checkpoint's event. Texts that were erased are null."""
    state = source.loaded.state
    body = event.body if isinstance(event.body, CheckpointTaken) else CheckpointTaken(name=name_of(event))
    contents = checkpoint_contents(state, fold_version=FOLD_VERSION, window=body.window)
    said = [item for item in state.live(body.window) if item.type in (*CONVERSATION_TYPES, "summary")]
    source.versions(sorted({version for version, _ in _places(state)}))
    source.items(item.id for item in said)
    texts = source.loaded.texts
    document = {
        "name": body.name,
        "timestamp": exported_time(microseconds(event.occurred_at)),
        "triggers": body.triggers,
        "context_snapshot": {
            "version": state.version,
            "fold_version": FOLD_VERSION,
            "sha256": state.digest(),
            "state": state.document(),
            "texts": {
                f"{version}.{part}": texts.get((version, part))
                for version, part in sorted({*_places(state), *_parts_of_decisions(state, texts)})
            },
        },
        "system_state": _system_state(state),
        "task_queue": [
            {
                "task": name,
                "status": "current" if name == state.current_task else "open",
                "text": texts.get(task.text),
                "acceptance_criteria": [texts.get(place) for place in task.acceptance_criteria],
                "depends_on_tasks": task.depends_on_tasks,
                "depends_on_files": task.depends_on_files,
                "started": exported_time(task.started),
            }
            for name, task in sorted(state.tasks.items(), key=lambda one: one[1].item)
        ],
        "completed_tasks": state.completed_tasks,
        "metrics": contents["metrics"],
        "conversation_history": [
            {
                "item": item.id,
                "type": item.type,
                "role": item.role,
                "agent": item.agent,
                "timestamp": exported_time(item.brought),
                "tokens": item.tokens,
                "content": None
                if item.id in source.erased
                else cut(one_line(source.loaded.item_text(item)), LONGEST_MESSAGE),
            }
            for item in said
        ],
        "file_checksums": dict(sorted((body.files or state.files).items())),
    }
    # As a reader of the file has it: keys are texts, tuples are lists.
    plain: dict[str, Any] = json.loads(json.dumps(document))
    return plain


def name_of(event: Event) -> str:
    """The name that an event gives its version."""
    marks = event.effects.marks
    return "" if marks is None else marks.name


def _system_state(state: ContextState) -> dict[str, Any]:
    layer = state.project_layer or 0
    return {
        "project": None if state.project is None else state.project._asdict(),
        "layer": layer,
        "layer_name": LAYER_NAMES[layer],
        "clarity": state.clarity,
        "phase": state.phase,
        "status": state.status,
        "current_task": state.current_task,
        "agents": {name: agent._asdict() for name, agent in sorted(state.agents.items())},
        "focus": state.focus._asdict(),
    }


def _places(state: ContextState) -> list[Place]:
    """The places of the texts that the state names. A decision is named by its event."""
    found = [
        state.title,
        *(goal.text for goal in state.goals.values()),
        *(place for action in state.actions.values() for place in (action.text, action.blocked_by)),
        *(place for question in state.questions.values() for place in (question.text, question.context)),
        *(place for task in state.tasks.values() for place in (task.text, *task.acceptance_criteria)),
        *state.constraints.values(),
        *((note.id, 0) for note in state.decisions),
    ]
    return [place for place in found if place is not None]


def _parts_of_decisions(state: ContextState, texts: Iterable[Place]) -> list[Place]:
    decided = {note.id for note in state.decisions}
    return [place for place in texts if place[0] in decided]
