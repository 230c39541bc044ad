"""Sums a session up: gathers the source of a summary from the state and the log."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TypeVar
from uuid import UUID

from backstory.application.contents.items import ItemReader
from backstory.application.contents.source import load_left
from backstory.application.context.mentions import mentioned_in
from backstory.application.context.noticing import own_text
from backstory.application.runtime import Runtime
from backstory.domain.context.history import is_visible
from backstory.domain.entities.entities import by_kind
from backstory.domain.errors import InvalidInput, SummaryRefused
from backstory.domain.events import DecisionConfirmed, DecisionRecorded, GoalCompleted, SummaryMade
from backstory.domain.messages.shapes import shape_in
from backstory.domain.records import CONVERSATION_TYPES, Item, Place
from backstory.domain.state import ContextState
from backstory.domain.summaries.offline import SourceMessage, SummaryDocument, SummarySource, check_summary
from backstory.domain.values import MAIN_WINDOW, Priority, from_microseconds, label
from backstory.infrastructure.llm.summarizers import OfflineSummarizer, Summarized, Summarizer

MOST_MESSAGES = 200
"""A first summary of a long session tells of its newest messages, and of its first ones: they say what it is about."""
FIRST_MESSAGES = 10
MOST_EVENTS = 2000
MOST_ENTITIES = 20

T = TypeVar("T")


def sum_up(
    summarizer: Summarizer, source: SummarySource, *, most_tokens: int, count: Callable[[str], int]
) -> Summarized:
    """Returns a summary that may be recorded. Where a summarizer fails, or gives nothing, nonsense or too much, the
    offline one does it. Raises SummaryRefused where that has nothing to say either."""

    def made_by(one: Summarizer) -> Summarized:
        made = one.summarize(source, most_tokens=most_tokens, count=count)
        if not isinstance(made, Summarized) or not isinstance(made.document, SummaryDocument):
            raise SummaryRefused("the summarizer gave something else than a summary.")
        check_summary(made.document, source=source, most_tokens=most_tokens, count=count)
        _check_origin(made)
        return made

    try:
        return made_by(summarizer)
    except SummaryRefused as refused:
        if isinstance(summarizer, OfflineSummarizer):
            raise
        why = str(refused)
    except Exception as error:
        # Whatever somebody's own summarizer raises: its words may hold anything, so only its kind is told.
        why = f"the summarizer failed with {type(error).__name__}."
    return made_by(OfflineSummarizer())._replace(fallback=why)


def _check_origin(made: Summarized) -> None:
    """Refuses a summary whose summarizer or model cannot be recorded."""
    try:
        label("summarizer", made.summarizer)
        if made.model is not None:
            label("model", made.model)
    except InvalidInput as wrong:
        raise SummaryRefused(f"the summary's origin cannot be recorded: {wrong}.") from None
    version, fallback = made.prompt_version, made.fallback
    if not isinstance(version, int | None) or not isinstance(fallback, str | None):
        raise SummaryRefused("the summary's origin cannot be recorded: prompt_version or fallback.")


def source_of(runtime: Runtime, stream: UUID, state: ContextState) -> tuple[SummarySource, tuple[int, ...]]:
    """The source of a summary, and the items that it is made from; none where there is no message to tell of."""
    item_reader = ItemReader.of_newest(runtime, stream, state)
    state = item_reader.loaded.state
    upto = state.summary.upto if state.summary is not None else 0
    live = (item for item in state.items.values() if item.id > upto)
    said = _ends(sorted(_spoken([*_left(item_reader, upto), *live])))
    reached = _reached(runtime, stream, state, upto)
    decisions = [note.id for note in state.decisions]
    item_reader.versions([*decisions, *reached, *_places(state)])
    item_reader.items([item.id for item in said])
    loaded, texts = item_reader.loaded, item_reader.loaded.texts
    told = [item for item in said if item.id in loaded.messages]

    def text(place: Place) -> str | None:
        return texts.get(place)

    order = list(Priority)
    actions = sorted(state.actions.items(), key=lambda one: (order.index(Priority(one[1].priority)), one[0]))
    mentioned = by_kind(mentioned_in(item_reader, [item.id for item in told], MOST_ENTITIES))
    focus = [path for path in (state.focus.last_edited, *state.focus.files) if path]
    source = SummarySource(
        previous=_previous(item_reader, state),
        messages=tuple(_message(item_reader, item) for item in told),
        goals=tuple((t, goal.status) for goal in state.goals.values() if (t := text(goal.text))),
        goals_completed=tuple(_texts(texts.get((goal, 0)) for goal in reached)),
        task=text(state.tasks[state.current_task].text) if state.current_task is not None else None,
        decisions=tuple(_decided(item_reader, decision) for decision in decisions if (decision, 0) in texts),
        questions=tuple(_texts(text(asked.text) for asked in state.questions.values())),
        constraints=tuple(_texts(map(text, state.constraints.values()))),
        actions=tuple(_texts(text(action.text) for _, action in actions if action.blocked_by is None)),
        blocked=tuple(_texts(text(action.text) for _, action in actions if action.blocked_by is not None)),
        files=tuple(dict.fromkeys([*focus, *mentioned.get("files", ())])),
        entities=_telling(mentioned),
    )
    quoted = {*decisions, *reached, *state.goals, *state.actions, *state.questions, *state.constraints}
    if state.current_task is not None:
        quoted.add(state.tasks[state.current_task].item)
    return source, tuple(sorted({*(item.id for item in told), *quoted})) if told else ()


def _left(item_reader: ItemReader, upto: int) -> list[Item]:
    """The items that a compaction took out of the window before any summary told of them."""
    state = item_reader.loaded.state
    if max(state.compactions, default=0) <= upto:
        return []
    gone = item_reader.reader.made_room(MAIN_WINDOW)
    return load_left(
        item_reader, _ends(sorted(item for item in gone if item > upto and item not in state.items))
    )


def _spoken(items: Iterable[Item]) -> list[Item]:
    """The messages and exchanges that everybody may see."""
    return [item for item in items if item.type in CONVERSATION_TYPES and is_visible(item, MAIN_WINDOW, None)]


def _ends(found: Sequence[T]) -> list[T]:
    """The first and the newest of a long list."""
    newest = max(FIRST_MESSAGES, len(found) - MOST_MESSAGES)
    return [*found[:FIRST_MESSAGES], *found[newest:]]


def _telling(mentioned: Mapping[str, Sequence[str]]) -> tuple[str, ...]:
    """Names that say what they stand for. A word such as "build" does not."""
    return tuple(
        name
        for kind, names in mentioned.items()
        for name in names
        if kind not in ("files", "concepts") and not (name.isalpha() and name.islower())
    )


def _reached(runtime: Runtime, stream: UUID, state: ContextState, upto: int) -> list[int]:
    """Goals that were completed since the last summary."""
    after = max(upto, state.version - MOST_EVENTS)
    branch = runtime.reader.lineage(stream, state.version)
    return [
        goal
        for event in runtime.reader.events(branch, after)
        if isinstance(event.body, GoalCompleted)
        for goal in (event.body.goal, *event.body.closed)
    ]


def _places(state: ContextState) -> list[int]:
    places = [goal.text for goal in state.goals.values()]
    places += [action.text for action in state.actions.values()]
    places += [asked.text for asked in state.questions.values()]
    places += state.constraints.values()
    places += [task.text for task in state.tasks.values()]
    return [version for version, _ in places]


def _texts(texts: Iterable[str | None]) -> list[str]:
    return [text for text in texts if text]


def _decided(item_reader: ItemReader, decision: int) -> tuple[str, str | None]:
    body = item_reader.loaded.events[decision].body
    assert isinstance(body, DecisionRecorded | DecisionConfirmed)
    texts = item_reader.loaded.texts
    rationale = None if body.rationale is None else texts.get((decision, body.rationale.part))
    return texts[decision, body.text.part], rationale


def _message(item_reader: ItemReader, item: Item) -> SourceMessage:
    messages = item_reader.loaded.messages[item.id]
    parts = [part for message in messages for part in message.parts]
    return SourceMessage(
        item=item.id,
        role=item.role or "agent",
        agent=item.agent,
        text=own_text(messages),
        tools=tuple(part.name for part in parts if part.kind == "tool_use" and part.name),
        importance=item.importance,
        day=day_of(item, item_reader.loaded.state),
        errors=any(part.kind == "tool_result" and shape_in(part).get("is_error") is True for part in parts),
    )


def day_of(item: Item, state: ContextState) -> str | None:
    """The date of a message, where the session spans several days."""
    if state.started_at.date() == state.last_activity.date():
        return None
    return from_microseconds(item.brought).date().isoformat()


def _previous(item_reader: ItemReader, state: ContextState) -> SummaryDocument | None:
    """The summary before, unless it was erased."""
    if state.summary is None:
        return None
    item_reader.versions([state.summary.item])
    body = item_reader.loaded.events[state.summary.item].body
    assert isinstance(body, SummaryMade)
    stored = item_reader.loaded.texts.get((state.summary.item, body.document.part))
    return None if stored is None else SummaryDocument.decode(stored.encode())
