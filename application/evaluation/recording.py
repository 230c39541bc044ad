"""A recorded session as a sequence of actions that can be replayed under another policy. Compactions, contexts and
other changes of the window are not part of it."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import datetime
from itertools import islice
from typing import Any, NamedTuple

from pydantic_core import from_json

from backstory.application.contents.reader import ContentReader
from backstory.application.contents.source import Bytes, message_of
from backstory.application.session import Session
from backstory.application.writer import Writer
from backstory.domain import events as e
from backstory.domain.errors import ContentErased, NoLiveCall
from backstory.domain.events import Event
from backstory.domain.events.conversation import MessageBody
from backstory.domain.log.references import ContentRef
from backstory.domain.messages import inner_parts
from backstory.domain.messages.contents import Message, Part

_BATCH = 500


@dataclass(frozen=True)
class RecordedAction:
    """One action: the type of its event, the event's fields and texts, and for a message the message."""

    version: int
    at: datetime
    type: str
    texts: Mapping[str, str] = field(default_factory=dict)
    fields: Mapping[str, Any] = field(default_factory=dict)
    actor: str | None = None
    message: Message | None = None

    @property
    def is_answer(self) -> bool:
        """Whether it is the answer of a model."""
        return self.message is not None and self.message.role == "agent"

    @property
    def words(self) -> str:
        """Its text."""
        return words_of([self.message]) if self.message is not None else "\n".join(self.texts.values())


class Recording(NamedTuple):
    """A session's actions, without changes of its window."""

    name: str
    actions: tuple[RecordedAction, ...]

    @property
    def calls(self) -> int:
        return sum(action.is_answer for action in self.actions)


_REPEATED: tuple[type[e.EventBody], ...] = (
    MessageBody,
    e.SystemPromptSet,
    e.DecisionRecorded,
    e.ConstraintAdded,
    e.ConstraintRemoved,
    e.GoalSet,
    e.GoalCompleted,
    e.QuestionAsked,
    e.QuestionAnswered,
    e.TaskStarted,
    e.TaskCompleted,
)


def recording_of(session: Session) -> Recording:
    """The recording of the session's current branch, without erased contents."""
    actions: list[RecordedAction] = []
    events = session.events(branch=True)
    reader = ContentReader.on_branch(session._runtime, session.id, session.version)
    while batch := list(islice(events, _BATCH)):
        wanted = [event for event in batch if isinstance(event.body, _REPEATED)]
        contents = reader.bytes_of(event.version for event in wanted)
        for event in wanted:
            with suppress(ContentErased):
                actions.append(_recorded_action(event, contents))
    return Recording(str(session.id), tuple(actions))


def _recorded_action(event: Event, contents: Bytes) -> RecordedAction:
    body = event.body
    assert isinstance(body, e.EventBody)
    texts: dict[str, str] = {}
    fields: dict[str, Any] = {}
    for name in type(body).model_fields:
        value = getattr(body, name)
        if not isinstance(value, ContentRef):
            fields[name] = value
        elif (event.version, value.part) in contents:
            texts[name] = contents[event.version, value.part].decode(errors="replace")
    message = message_of(event, contents) if isinstance(body, MessageBody) else None
    return RecordedAction(event.version, event.occurred_at, event.type, texts, fields, event.actor, message)


class Replayer:
    """Repeats a recording in another session. Ids of the recording are mapped to the new ones; an action that refers
    to something missing is skipped."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._ids: dict[int, int] = {}

    def repeat(self, action: RecordedAction) -> None:
        """Repeats one action."""
        writer: Writer = self._session.occurred(action.at)
        if action.actor is not None:
            writer = writer.by(action.actor)
        version = self._say(writer, action) if action.message is not None else self._do(writer, action)
        if version is not None:
            self._ids[action.version] = version

    def _say(self, writer: Writer, action: RecordedAction) -> int | None:
        assert action.message is not None
        try:
            return writer.message(action.message, kind=action.fields.get("kind"))
        except NoLiveCall:
            return None

    def _do(self, writer: Writer, action: RecordedAction) -> int | None:
        texts, fields = action.texts, action.fields
        text = texts.get("text")
        if text is not None:
            match action.type:
                case e.SystemPromptSet.type:
                    return writer.set_system_prompt(text)
                case e.DecisionRecorded.type:
                    return writer.decide(text, rationale=texts.get("rationale"))
                case e.ConstraintAdded.type:
                    return writer.work.add_constraint(text)
                case e.GoalSet.type:
                    return writer.work.set_goal(text)
                case e.QuestionAsked.type:
                    return writer.work.ask(text, context=texts.get("context"))
                case e.TaskStarted.type:
                    return writer.work.start_task(fields["task"], text)
            return None
        if action.type == e.TaskCompleted.type:
            return writer.work.complete_task(fields["task"])
        about = self._ids.get(fields.get("constraint") or fields.get("goal") or fields.get("question") or 0)
        if about is None:
            return None
        match action.type:
            case e.ConstraintRemoved.type:
                return writer.work.remove_constraint(about)
            case e.GoalCompleted.type:
                return writer.work.complete_goal(about)
            case e.QuestionAnswered.type if "answer" in texts:
                return writer.work.answer(about, texts["answer"])
        return None


def words_of(messages: Sequence[Message], *, with_calls: bool = True) -> str:
    """The text of messages: their texts, the arguments of tool calls, and their results."""
    return "\n".join(
        text for message in messages for part in message.parts for text in _part_words(part, with_calls)
    )


def _part_words(part: Part, with_calls: bool) -> Iterator[str]:
    if part.kind == "tool_use":
        if with_calls:
            with suppress(ValueError):
                yield from _values(from_json(part.data))
    elif part.kind == "tool_result":
        for inner in inner_parts(part):
            yield from _part_words(inner, with_calls)
    elif part.kind == "json":
        with suppress(ValueError):
            yield from _values(from_json(part.data))
    elif part.media_type.startswith("text/"):
        yield part.data.decode(errors="replace")


def _values(value: object) -> Iterator[str]:
    """The texts in a JSON value. Keys are omitted: they belong to the tool."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for inner in value.values():
            yield from _values(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from _values(inner)
