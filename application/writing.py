"""What can be written to a session. A Session writes at once; a Transaction writes all of it together."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from functools import partial
from typing import Any, Literal, Self

from backstory.conversation import parse_message, tool_result_message, tool_use_message
from backstory.domain import events as e
from backstory.domain.commands import facts, items, work
from backstory.domain.contents import Message, Part, text_bytes
from backstory.domain.effects import Effects, NewItem
from backstory.domain.errors import InvalidInput
from backstory.domain.events.base import Change, EventBody
from backstory.domain.guards import NO_GUARD, Guard
from backstory.domain.values import (
    DEFAULT_ENCODING,
    LARGEST,
    MAIN_WINDOW,
    Priority,
    Role,
    aware,
    build,
    label,
    listed,
)
from backstory.drafts import Draft
from backstory.infrastructure.tokens import count_parts, count_tokens
from backstory.requests import Decider, Provenance, Request

Content = str | Message | Mapping[str, Any]


class Writer:
    """Every write. Each returns the version of its event, which is also the id of the item it brought.

    Who, when and why are said first: ``session.by("planner").once("request-7").message("…")``.
    """

    _provenance: Provenance
    _encodings: dict[str, str]

    def _submit(self, request: Request) -> int:
        raise TypeError("a writer needs somewhere to write")

    def _require_items(self, ids: Sequence[int]) -> None:
        raise TypeError("a writer needs somewhere to look up items")

    def _said(self, **changes: Any) -> Self:
        raise TypeError("a writer needs somewhere to write")

    def by(self, actor: str) -> Self:
        """The same, said by this agent or person."""
        return self._said(actor=label("actor", actor))

    def once(self, key: str) -> Self:
        """The same, under an idempotency key: asked again, it answers with the first result."""
        return self._said(key=label("key", key))

    def occurred(self, at: datetime) -> Self:
        """The same, for something that happened at another time than now."""
        return self._said(occurred_at=aware("occurred_at", at))

    def caused_by(self, version: int) -> Self:
        """The same, as a consequence of an earlier event."""
        if isinstance(version, bool) or not isinstance(version, int) or not 1 <= version <= LARGEST:
            raise InvalidInput("cause", f"must be a version, got {version!r}")
        return self._said(cause=version)

    # Conversation

    def message(
        self,
        content: Content,
        *,
        role: Role | str = Role.USER,
        format: Literal["openai", "anthropic"] | None = None,
        kind: str | None = None,
        importance: float | None = None,
        windows: Sequence[str] = (MAIN_WINDOW,),
        task: str | None = None,
        references: Sequence[int] = (),
    ) -> int:
        """Adds a message: plain text with a role, or a provider's own message with its `format`. One with tool
        calls opens a tool exchange; one with tool results belongs to the exchange that it answers."""
        message = parse_message(content, role, format)
        draft = Draft()
        said: dict[str, Any] = {
            "role": message.role,
            "parts": draft.parts("content", message.parts),
            "format": message.format,
            "extras": draft.message_extras(message),
        }
        used = [part.call_id for part in message.parts if part.kind == "tool_use" and part.call_id]
        answers = [part.call_id for part in message.parts if part.kind == "tool_result" and part.call_id]
        # A tool that the provider runs itself is called and answered in one message.
        calls = [call for call in used if call not in answers]
        if answers and not used:
            tokens = count_parts(message.parts, self._encoding())
            return self._wish(
                draft, partial(items.answer_calls, answers=tuple(answers), tokens=tokens, said=said)
            )
        type_ = "tool_exchange" if calls else "message"
        item = self._counted_item(
            type_,
            message.parts,
            importance,
            windows,
            role=message.role,
            task=task,
            references=listed("references", references),
        )
        if calls:
            return self._write(draft, facts.call_tools(build(e.ToolCalled, calls=tuple(calls), **said), item))
        return self._write(draft, facts.add_message(build(e.MessageAdded, kind=kind, **said), item))

    def tool_call(
        self, name: str, arguments: Mapping[str, Any], *, call_id: str, text: str | None = None
    ) -> int:
        """Records that the model called one tool. For parallel calls, give the provider's message to `message`."""
        return self.message(tool_use_message(name, arguments, call_id, text))

    def tool_result(self, call_id: str, result: str, *, is_error: bool = False) -> int:
        """Records what a tool answered. The call must be live."""
        return self.message(tool_result_message(call_id, result, is_error))

    def model_called(
        self,
        model: str,
        *,
        provider: str | None = None,
        request_id: str | None = None,
        message: int | None = None,
        input_tokens: int | None = None,
        output_tokens: int | None = None,
        cached_tokens: int | None = None,
        reasoning_tokens: int | None = None,
        latency_ms: float | None = None,
        stop_reason: str | None = None,
        parameters: str | None = None,
        error: str | None = None,
    ) -> int:
        """Records a call of a model, with the provider's own numbers and the message that it led to."""
        draft = Draft()
        change = facts.note(
            e.ModelCalled,
            model=model,
            provider=provider,
            request_id=request_id,
            message=message,
            input_tokens=input_tokens,
            output_tokens=output_tokens,
            cached_tokens=cached_tokens,
            reasoning_tokens=reasoning_tokens,
            latency_ms=latency_ms,
            stop_reason=stop_reason,
            parameters=draft.optional("parameters", parameters),
            error=draft.optional("error", error),
        )
        return self._write(draft, change)

    # Items

    def save(
        self,
        type: str,
        content: str | bytes | Sequence[Part],
        *,
        media_type: str = "text/plain",
        importance: float | None = None,
        task: str | None = None,
        references: Sequence[int] = (),
        private: bool | None = None,
        windows: Sequence[str] = (MAIN_WINDOW,),
        name: str | None = None,
        path: str | None = None,
        artifact: str | None = None,
        load_layer: int | None = None,
        clarity: int | None = None,
        summary: str | None = None,
    ) -> int:
        """Keeps a piece of context of any type. Saved by an agent it is private to it, unless said otherwise."""
        draft = Draft()
        parts = _content_parts(content, media_type)
        body = build(
            e.ItemSaved,
            parts=draft.parts("content", parts),
            name=name,
            path=path,
            artifact=artifact,
            load_layer=load_layer,
            clarity=clarity,
            summary=draft.optional("summary", summary),
        )
        owned = self._provenance.actor is not None
        item = self._counted_item(
            label("type", type),
            parts,
            importance,
            windows,
            task=task,
            references=listed("references", references),
            private=owned if private is None else private,
        )
        return self._write(draft, facts.save_item(body, item))

    def touch(self, *item_ids: int, reason: str = "loaded") -> int:
        """Counts an access to items that were found, expanded, loaded or cited."""
        wanted = items.checked_items(item_ids)
        self._require_items(wanted)
        return self._write(Draft(), facts.touch_items(wanted, reason))

    def remove(self, *item_ids: int, window: str | None = None, why: str | None = None) -> int:
        """Takes items out of a window, or of all. They stay in the record: see `bring_back`."""
        draft = Draft()
        ref = draft.optional("why", why)
        return self._wish(draft, partial(items.remove_items, items=item_ids, window=window, why=ref))

    def deprecate(self, item: int, *, by: int | None = None, why: str | None = None) -> int:
        """Marks an item as no longer true, maybe because of another one, and takes it out of the windows."""
        draft = Draft()
        ref = draft.optional("why", why)
        return self._wish(draft, partial(items.deprecate_item, item=item, by=by, why=ref))

    def error(self, text: str, *, name: str | None = None, importance: float | None = None) -> int:
        """Records an error. It is an item until `resolve_error`."""
        draft = Draft()
        ref = draft.text("text", text)
        item = self._text_item("error", [text], importance)
        return self._write(draft, facts.meet_error(item, text=ref, name=name))

    def resolve_error(self, item: int, *, how: str | None = None) -> int:
        draft = Draft()
        return self._wish(draft, partial(work.resolve_error, item=item, how=draft.optional("how", how)))

    # Decisions

    def decide(
        self,
        text: str,
        *,
        rationale: str | None = None,
        alternatives_rejected: Sequence[str] = (),
        impact: Sequence[str] = (),
        priority: Priority | str = Priority.MEDIUM,
        decided_by: str | None = None,
        recorded_by: str | None = None,
    ) -> int:
        """Records a decision. It is never changed; a later one may overrule it."""
        draft = Draft()
        fields = {
            "text": draft.text("text", text),
            "rationale": draft.optional("rationale", rationale),
            "alternatives_rejected": draft.each("alternatives_rejected", alternatives_rejected),
            "impact": draft.each("impact", impact),
        }
        item = self._text_item("decision", [text, rationale or "", *alternatives_rejected, *impact])
        change = facts.record_decision(
            item,
            priority=priority,
            decided_by=decided_by or self._provenance.actor,
            recorded_by=recorded_by or self._provenance.actor,
            **fields,
        )
        return self._write(draft, change)

    # Work

    def set_goal(
        self,
        text: str,
        *,
        priority: Priority | str = Priority.MEDIUM,
        parent: int | None = None,
        status: Literal["pending", "in-progress"] = "pending",
    ) -> int:
        """Sets a goal, or a sub-goal of one that is open."""
        draft = Draft()
        ref = draft.text("text", text)
        wish = partial(
            work.set_goal,
            item=self._text_item("goal", [text]),
            text=ref,
            priority=priority,
            parent=parent,
            status=status,
        )
        if parent is None:
            return self._write(draft, facts.set_goal(**wish.keywords))
        return self._wish(draft, wish)

    def update_goal(
        self,
        goal: int,
        *,
        text: str | None = None,
        priority: Priority | str | None = None,
        status: Literal["pending", "in-progress"] | None = None,
    ) -> int:
        draft = Draft()
        wish = partial(
            work.update_goal,
            goal=goal,
            text=draft.optional("text", text),
            tokens=count_tokens(text, self._encoding()) if text else 0,
            encoding=_named_encoding(self._encoding()),
            priority=priority,
            status=status,
        )
        return self._wish(draft, wish)

    def complete_goal(self, goal: int) -> int:
        """Closes a goal, with the sub-goals still open below it."""
        return self._wish(Draft(), partial(work.complete_goal, goal=goal))

    def add_action(
        self,
        text: str,
        *,
        priority: Priority | str = Priority.MEDIUM,
        layer: int | None = None,
        estimate_minutes: int | None = None,
        assignee: str | None = None,
        due: datetime | None = None,
        blocked_by: str | None = None,
    ) -> int:
        draft = Draft()
        ref, blocker = draft.text("text", text), draft.optional("blocked_by", blocked_by)
        change = facts.add_action(
            self._text_item("action", [text, blocked_by or ""]),
            text=ref,
            priority=priority,
            layer=layer,
            estimate_minutes=estimate_minutes,
            assignee=assignee,
            due=aware("due", due),
            blocked_by=blocker,
        )
        return self._write(draft, change)

    def block_action(self, action: int, by: str | None) -> int:
        """Says what an action waits for; None frees it."""
        draft = Draft()
        return self._wish(draft, partial(work.block_action, action=action, by=draft.optional("by", by)))

    def complete_action(self, action: int) -> int:
        return self._wish(Draft(), partial(work.complete_action, action=action))

    def ask(
        self,
        text: str,
        *,
        context: str | None = None,
        priority: Priority | str = Priority.MEDIUM,
        asked_by: str | None = None,
        blocks: Sequence[int] = (),
    ) -> int:
        """Asks a question that somebody has to answer."""
        draft = Draft()
        ref, said = draft.text("text", text), draft.optional("context", context)
        change = facts.ask_question(
            self._text_item("question", [text, context or ""]),
            text=ref,
            context=said,
            priority=priority,
            asked_by=asked_by or self._provenance.actor,
            blocks=listed("blocks", blocks),
        )
        return self._write(draft, change)

    def answer(self, question: int, text: str, *, answered_by: str | None = None) -> int:
        draft = Draft()
        wish = partial(
            work.answer_question,
            question=question,
            answer=draft.text("text", text),
            answered_by=answered_by or self._provenance.actor,
        )
        return self._wish(draft, wish)

    def add_constraint(self, text: str) -> int:
        """Adds a rule that holds until it is removed."""
        draft = Draft()
        ref = draft.text("text", text)
        return self._write(draft, facts.add_constraint(self._text_item("constraint", [text]), text=ref))

    def remove_constraint(self, constraint: int, *, why: str | None = None) -> int:
        draft = Draft()
        ref = draft.optional("why", why)
        return self._wish(draft, partial(work.remove_constraint, constraint=constraint, why=ref))

    def start_task(
        self,
        task: str,
        text: str,
        *,
        acceptance_criteria: Sequence[str] = (),
        depends_on_tasks: Sequence[str] = (),
        depends_on_files: Sequence[str] = (),
    ) -> int:
        """Starts a task under an id of the caller's; it is then the current one."""
        draft = Draft()
        ref = draft.text("text", text)
        criteria = draft.each("acceptance_criteria", acceptance_criteria)
        change = facts.start_task(
            self._text_item("task", [text, *acceptance_criteria], task=task),
            task=task,
            text=ref,
            acceptance_criteria=criteria,
            depends_on_tasks=listed("depends_on_tasks", depends_on_tasks),
            depends_on_files=listed("depends_on_files", depends_on_files),
        )
        return self._write(draft, change)

    def complete_task(self, task: str) -> int:
        return self._wish(Draft(), partial(work.complete_task, task=task))

    # Progress

    def set_phase(self, phase: str) -> int:
        return self._write(Draft(), facts.note(e.PhaseChanged, phase=phase))

    def set_layer(self, project_layer: int) -> int:
        return self._write(Draft(), facts.note(e.LayerChanged, project_layer=project_layer))

    def set_clarity(self, clarity: int) -> int:
        return self._write(Draft(), facts.note(e.ClarityChanged, clarity=clarity))

    def focus(
        self, files: Sequence[str], *, last_edited: str | None = None, current_function: str | None = None
    ) -> int:
        """Says which files the work is about now."""
        change = facts.note(
            e.FilesFocused,
            files=listed("files", files),
            last_edited=last_edited,
            current_function=current_function,
        )
        return self._write(Draft(), change)

    def command_executed(self, command: str, *, exit_code: int | None = None) -> int:
        draft = Draft()
        ref = draft.text("command", command)
        return self._write(draft, facts.note(e.CommandExecuted, command=ref, exit_code=exit_code))

    def file_updated(self, path: str, *, checksum: str | None = None) -> int:
        return self._write(Draft(), facts.note(e.FileUpdated, path=path, checksum=checksum))

    def commit_made(self, commit: str, *, message: str | None = None) -> int:
        draft = Draft()
        ref = draft.optional("message", message)
        return self._write(draft, facts.note(e.CommitMade, commit=commit, message=ref))

    def checkpoint(self, name: str, *, triggers: Sequence[str] = ()) -> int:
        """Gives this version a name."""
        return self._write(Draft(), facts.take_checkpoint(name, listed("triggers", triggers)))

    # The session

    def end(self, why: str | None = None) -> int:
        """Closes the session. It is kept, and takes no new items until `resume`."""
        draft = Draft()
        return self._write(draft, facts.end_session(draft.optional("why", why)))

    def resume(self) -> int:
        return self._write(Draft(), facts.resume_session())

    def rename(self, title: str) -> int:
        draft = Draft()
        return self._write(draft, facts.rename_session(draft.text("title", title)))

    def tag(self, *tags: str) -> int:
        """Sets the session's tags."""
        return self._write(Draft(), facts.tag_session(tags))

    def set_project(
        self, name: str, *, id: str | None = None, current_idea: str | None = None, status: str | None = None
    ) -> int:
        change = facts.set_project(name=name, id=id, current_idea=current_idea, status=status)
        return self._write(Draft(), change)

    def join(
        self,
        name: str,
        *,
        id: str | None = None,
        version: str | None = None,
        mode: str | None = None,
        capabilities: Sequence[str] = (),
    ) -> int:
        """Records that an agent takes part."""
        change = facts.join_agent(
            name=name, id=id, version=version, mode=mode, capabilities=listed("capabilities", capabilities)
        )
        return self._write(Draft(), change)

    def record(
        self, body: EventBody, *, effects: Effects | None = None, contents: Draft | None = None
    ) -> int:
        """Appends an event of a type of your own, with what it does to the read models."""
        if not isinstance(body, EventBody):
            raise InvalidInput("body", f"must be an EventBody, got {type(body).__name__}")
        if ":" not in body.type:
            raise InvalidInput(
                "body", f"{body.type!r} is Backstory's own type, which has a method of its own"
            )
        change = Change(body, Effects() if effects is None else effects)
        if not isinstance(change.effects, Effects):
            raise InvalidInput("effects", f"must be Effects, got {type(effects).__name__}")
        if change.effects.resumes is not None:
            raise InvalidInput("effects.resumes", "belongs to backtracks and forks")
        if change.effects.returns:
            raise InvalidInput("effects.returns", "belongs to `bring_back`, which knows what the items were")
        draft = Draft() if contents is None else contents
        if not isinstance(draft, Draft):
            raise InvalidInput("contents", f"must be a Draft, got {type(contents).__name__}")
        draft.require_named_by(body)
        return self._write(draft, change)

    # How a write is put together

    def _write(self, draft: Draft, change: Change, guard: Guard = NO_GUARD) -> int:
        return self._submit(Request(draft, change, self._provenance, guard))

    def _wish(self, draft: Draft, decider: Decider) -> int:
        return self._submit(Request(draft, decider, self._provenance))

    def _encoding(self, windows: Sequence[str] = (MAIN_WINDOW,)) -> str:
        return self._encodings.get(windows[0], DEFAULT_ENCODING) if windows else DEFAULT_ENCODING

    def _counted_item(
        self,
        type_: str,
        parts: Sequence[Part],
        importance: float | None,
        windows: Sequence[str],
        **fields: Any,
    ) -> NewItem:
        """The item of a content, counted in the encoding of each window it goes to."""
        named = tuple(label("windows", window) for window in listed("windows", windows))
        encoding = self._encoding(named)
        others = {self._encoding([window]) for window in named} - {encoding}
        return facts.new_item(
            type_,
            tokens=count_parts(parts, encoding),
            encoding=encoding,
            importance=importance,
            windows=named,
            agent=self._provenance.actor,
            recounts={other: count_parts(parts, other) for other in others},
            **fields,
        )

    def _text_item(
        self, type_: str, texts: Sequence[str], importance: float | None = None, **fields: Any
    ) -> NewItem:
        """An item made of texts, in the main window."""
        parts = [Part("text", text_bytes("text", text)) for text in texts if text]
        return self._counted_item(type_, parts, importance, (MAIN_WINDOW,), **fields)


def provenance(said: Provenance, **changes: Any) -> Provenance:
    return replace(said, **changes)


def _named_encoding(encoding: str) -> str | None:
    return None if encoding == DEFAULT_ENCODING else encoding


def _content_parts(content: str | bytes | Sequence[Part], media_type: str) -> tuple[Part, ...]:
    label("media_type", media_type)
    if isinstance(content, str):
        content = text_bytes("content", content)
    if isinstance(content, bytes):
        if not content:
            raise InvalidInput("content", "must not be empty")
        kind = (
            "text"
            if media_type.startswith("text/")
            else "json"
            if media_type.endswith("json")
            else "document"
        )
        kind = "image" if media_type.startswith("image/") else kind
        return (Part(kind, content, media_type),)
    parts = listed("content", content)
    if not parts:
        raise InvalidInput("content", "must have at least one part")
    return parts
