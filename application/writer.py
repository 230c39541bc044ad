"""The writes that a Session and a Transaction have in common. A Session appends each at once; a Transaction appends
all of them together."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from functools import cached_property, partial
from typing import Any, Literal, Self
from uuid import UUID

from backstory.application.context.answering import append_with
from backstory.application.context.reproduce import assembled_tokens
from backstory.application.context.result import Context
from backstory.application.handle import SessionPart
from backstory.application.writing.checkpoints import CheckpointWriter
from backstory.application.writing.content_bundle import ContentBundle, resealed
from backstory.application.writing.conversation import Content, call_request, message_request
from backstory.application.writing.decisions import DecisionWriter
from backstory.application.writing.details import DetailWriter
from backstory.application.writing.items import ItemWriter
from backstory.application.writing.messages import tool_result_message, tool_use_message
from backstory.application.writing.new_items import text_item
from backstory.application.writing.progress import ProgressWriter
from backstory.application.writing.requests import Request
from backstory.application.writing.window import WindowWriter
from backstory.application.writing.work import WorkWriter
from backstory.domain.commands import contexts, facts, sessions
from backstory.domain.effects import Effects
from backstory.domain.errors import InvalidInput
from backstory.domain.events.base import Change, EventBody
from backstory.domain.trust import Origin, checked_origin
from backstory.domain.values import MAIN_WINDOW, Priority, Role, aware, label, version_number


class Writer(SessionPart):
    """The writes of every day, and the groups of the others. Each write returns the version of its event, which is also
    the id of the item it brought.

    Who writes, when and why is named first: ``session.by("planner").once("request-7").message("…")``.
    """

    @cached_property
    def items(self) -> ItemWriter:
        """Saved items."""
        return ItemWriter(self._handle)

    @cached_property
    def decisions(self) -> DecisionWriter:
        """Decisions that were noticed in messages."""
        return DecisionWriter(self._handle)

    @cached_property
    def work(self) -> WorkWriter:
        """Goals, actions, questions, constraints, tasks."""
        return WorkWriter(self._handle)

    @cached_property
    def progress(self) -> ProgressWriter:
        """Phase, focus, errors, commands, files, commits."""
        return ProgressWriter(self._handle)

    @cached_property
    def details(self) -> DetailWriter:
        """Title, tags, project, agents."""
        return DetailWriter(self._handle)

    @cached_property
    def window(self) -> WindowWriter:
        """Policies and contents of the windows."""
        return WindowWriter(self._handle)

    @cached_property
    def checkpoints(self) -> CheckpointWriter:
        """Named versions."""
        return CheckpointWriter(self._handle)

    @property
    def id(self) -> UUID:
        """The session's id."""
        return self._id

    def by(self, actor: str) -> Self:
        """The same session, written to by this agent or person."""
        return self._with(actor=label("actor", actor))

    def once(self, key: str) -> Self:
        """The same session; the next write has this idempotency key. Repeated under it, it returns the first result."""
        return self._with(key=label("key", key))

    def occurred(self, at: datetime) -> Self:
        """The same session, for writes about another time than now."""
        return self._with(occurred_at=aware("occurred_at", at))

    def caused_by(self, version: int) -> Self:
        """The same session, for writes that an earlier event caused."""
        return self._with(cause=version_number("cause", version))

    def of_origin(self, origin: Origin) -> Self:
        """The same session, for writes of what comes from a user, a model, a tool, a document or an import. Without it,
        an item's role and type say where it comes from."""
        return self._with(origin=checked_origin(origin))

    def _with(self, **changes: Any) -> Self:
        return type(self)(self._handle.with_(**changes))

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
        metadata: Mapping[str, Any] | None = None,
    ) -> int:
        """Adds a message: plain text with a role, or a provider's own message with its `format`. One with tool
        calls opens a tool exchange; one with tool results belongs to the exchange that it answers. `metadata` is your
        own, as JSON: it is kept with the message and shown to no model."""
        return self._handle.submit(
            message_request(
                self._handle, content, role, format, kind, importance, windows, task, references, metadata
            )
        )

    def set_system_prompt(self, text: str) -> int:
        """Sets what every call begins with, in place of the prompt before."""
        bundle = self._handle.bundle()
        ref = bundle.text("text", text)
        item = text_item(self._handle, "system_prompt", [text])
        return self._handle.command(bundle, partial(contexts.set_system_prompt, item=item, text=ref))

    def tool_call(
        self, name: str, arguments: Mapping[str, Any], *, call_id: str, text: str | None = None
    ) -> int:
        """Records that the model called one tool. For parallel calls, give the provider's message to `message`."""
        return self.message(tool_use_message(name, arguments, call_id, text))

    def tool_result(self, call_id: str, result: str, *, is_error: bool = False) -> int:
        """Records what a tool answered. The call must be live."""
        return self.message(tool_result_message(call_id, result, is_error))

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
        bundle = self._handle.bundle()
        fields = {
            "text": bundle.text("text", text),
            "rationale": bundle.optional("rationale", rationale),
            "alternatives_rejected": bundle.each("alternatives_rejected", alternatives_rejected),
            "impact": bundle.each("impact", impact),
        }
        item = text_item(self._handle, "decision", [text, rationale or "", *alternatives_rejected, *impact])
        change = facts.record_decision(
            item,
            priority=priority,
            decided_by=decided_by or self._handle.actor,
            recorded_by=recorded_by or self._handle.actor,
            **fields,
        )
        return self._handle.write(bundle, change)

    def model_called(
        self,
        assembly: Context | int | None,
        model: str,
        usage: Mapping[str, Any] | object | None = None,
        *,
        provider: str | None = None,
        request_id: str | None = None,
        message: int | None = None,
        latency_ms: float | None = None,
        stop_reason: str | None = None,
        parameters: Mapping[str, Any] | None = None,
        error: str | None = None,
    ) -> int:
        """Records a call of a model: with which assembled context, what the provider counted (its own usage object or
        mapping), which message it led to, and what it cost where a price is known. A context that is to be recorded
        with its answer is recorded with the call."""
        if message is not None:
            self._handle.require_items("message", [message], ("message", "tool_exchange"))
        told = {
            "request_id": request_id,
            "message": message,
            "latency_ms": latency_ms,
            "stop_reason": stop_reason,
        }

        def call(version: int | None, tokens: int | None) -> Request:
            return call_request(
                self._handle, version, tokens, model, usage, provider, parameters, error, **told
            )

        if isinstance(assembly, Context) and assembly.version is None and assembly.postponed is not None:
            return append_with(self._handle, assembly, lambda version, _: [call(version, assembly.tokens)])
        if assembly is None:
            return self._handle.submit(call(None, None))
        version = assembly.version if isinstance(assembly, Context) else assembly
        tokens = assembled_tokens(self._runtime, self._id, assembly)
        return self._handle.submit(call(version, tokens))

    def record(
        self, body: EventBody, *, effects: Effects | None = None, contents: ContentBundle | None = None
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
        if change.effects.judges is not None:
            raise InvalidInput("effects.judges", "belongs to `safety`, which knows who may judge")
        if change.effects.resumes is not None:
            raise InvalidInput("effects.resumes", "belongs to backtracks and forks")
        if change.effects.returns:
            raise InvalidInput("effects.returns", "belongs to `bring_back`, which knows what the items were")
        bundle = self._handle.bundle() if contents is None else contents
        if not isinstance(bundle, ContentBundle):
            raise InvalidInput("contents", f"must be a ContentBundle, got {type(contents).__name__}")
        bundle.require_named_by(body)
        bundle, body = resealed(bundle, body, self._handle.screen)
        return self._handle.write(bundle, change._replace(body=body))

    def end(self, why: str | None = None) -> int:
        """Closes the session. It is kept, and takes no new items until `resume`."""
        bundle = self._handle.bundle()
        return self._handle.command(bundle, partial(sessions.end_session, why=bundle.optional("why", why)))

    def resume(self) -> int:
        """Opens an ended session again."""
        return self._handle.command(ContentBundle(), partial(sessions.resume_session))
