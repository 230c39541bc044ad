"""The end of a turn: what a model answered, recorded with the call and the context that it came from."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from typing import Any, Literal

from backstory.application.context.reproduce import assembled_tokens
from backstory.application.context.result import Context
from backstory.application.handle import SessionHandle, SessionPart
from backstory.application.writing.conversation import Content, call_request, message_request
from backstory.application.writing.requests import Request
from backstory.domain.errors import BranchMoved, InvalidInput
from backstory.domain.values import Role


class AnswerWriter(SessionPart):
    """Records answers of models."""

    def answered(
        self,
        context: Context | int,
        answer: Content,
        *,
        role: Role | str = Role.AGENT,
        format: Literal["openai", "anthropic"] | None = None,
        kind: str | None = None,
        importance: float | None = None,
        task: str | None = None,
        metadata: Mapping[str, Any] | None = None,
        model: str | None = None,
        usage: Mapping[str, Any] | object | None = None,
        provider: str | None = None,
        request_id: str | None = None,
        latency_ms: float | None = None,
        stop_reason: str | None = None,
        parameters: Mapping[str, Any] | None = None,
    ) -> int:
        """Records what a model answered to a context, or to the one of a version, and returns the answer's version.
        With it come, in one append, the context, unless it is recorded already (see `context`), and the call, if
        `model` is given: see `model_called`. The call names the context, and the answer has the call for its cause,
        else the context. So `saw` tells of all that follows from the answer what the model saw."""
        if not isinstance(context, Context | int):
            raise InvalidInput("context", f"must be a Context or its version, got {type(context).__name__}")
        told: dict[str, Any] = {
            "request_id": request_id,
            "latency_ms": latency_ms,
            "stop_reason": stop_reason,
        }
        of_call = {"usage": usage, "provider": provider, "parameters": parameters, **told}
        if model is None:
            for name, value in of_call.items():
                if value is not None:
                    raise InvalidInput(name, "is told of a call, and `model` does not say of which model")
        if isinstance(context, Context):
            tokens = context.tokens
        else:
            tokens = assembled_tokens(self._runtime, self._id, context)
        said = message_request(
            self._handle, answer, role, format, kind, importance, task=task, metadata=metadata
        )

        def following(assembly: int, after: int) -> list[Request]:
            if model is None:
                return [_caused_by(assembly, said)]
            call = call_request(self._handle, assembly, tokens, model, usage, provider, parameters, **told)
            return [call, _caused_by(after + 1, said)]

        return append_with(self._handle, context, following)


def append_with(
    handle: SessionHandle, context: Context | int, following: Callable[[int, int], list[Request]]
) -> int:
    """Appends the requests that follow from a context, together with the context where it is not recorded yet.
    `following` is given the context's version and the version before these requests. Returns the last version."""
    placed: Callable[[int], list[Request]]
    if isinstance(context, int):
        placed = partial(following, context)
    elif context.version is not None:
        assembled_tokens(handle.runtime, handle.id, context)
        placed = partial(following, context.version)
    elif context.postponed is None:
        raise InvalidInput("context", "was a preview, and is not recorded")
    else:
        if context.session != handle.id:
            raise InvalidInput("context", "must be one of this session, and is of another")
        postponed = context.postponed
        if postponed.epoch != handle.epoch:
            raise BranchMoved("the session was backtracked after this context was made: make another.")

        def placed(version: int) -> list[Request]:
            return [postponed.request, *following(version + 1, version + 1)]

    return handle.append_after(placed)


def _caused_by(version: int, request: Request) -> Request:
    return replace(request, provenance=replace(request.provenance, cause=version))
