"""Runs of OpenHands, as its evaluations write them: one run a line, with all its events.

| event | becomes |
|---|---|
| system | the system prompt |
| message of the user or the agent | a message |
| action that the model asked for | the model's own message with its calls, once for all actions it led to |
| observation of such an action | the result of the call |
| recall that told the agent something; error outside a call | a message of the system |
| condensation | a compaction |
| anything else | nothing: it stays in the line, which is kept |
"""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta, timezone
from typing import Any

from backstory.application.transcripts.json_lines import (
    json_object,
    kind_of_other,
    moment_in,
    name_in,
    number_in,
    text_in,
)
from backstory.application.transcripts.steps import (
    About,
    Line,
    ModelCall,
    StepLine,
    TranscriptCompaction,
    TranscriptMessage,
    TranscriptPrompt,
    TranscriptStep,
)

FORMAT = "openhands"
AGENT = "openhands"
"""The actor if a run does not name its agent."""

_QUARTER = timedelta(minutes=15)


def recognizes(line: Line) -> bool:
    """Whether a line is certainly a run."""
    document = json_object(line)
    return document is not None and "instance_id" in document and isinstance(document.get("history"), list)


class OpenHandsReader:
    """Reads runs, one a line."""

    def read(self, line: Line) -> list[TranscriptStep]:
        document = json_object(line)
        if document is None or not recognizes(line):
            kind = kind_of_other(line) if document is None else "no run"
            return [TranscriptStep(None, (StepLine(line.number, kind, None, line.data),))]
        run = _AgentRun(document)
        steps = [run.step(line.number, event) for event in run.events]
        last = TranscriptStep(run.session, (StepLine(line.number, "run", None, line.data),), about=run.about)
        return [*steps, last]


class _AgentRun:
    """One run with its events, model calls and properties."""

    def __init__(self, document: dict[str, Any]) -> None:
        self.events = list(_events(document["history"]))
        self._zone = _zone_of(self.events)
        began = text_in(self.events[0], "timestamp") if self.events else None
        # A run that was tried again has the id of the instance too, but another beginning.
        self.session = f"{document['instance_id']}@{began or ''}"
        self._agent = name_in(document, "metadata", "agent_class") or AGENT
        self.about = About(
            title=_title(document),
            project=_project(document),
            model=name_in(document, "metadata", "llm_config", "model"),
            agent=self._agent,
            agent_version=name_in(document, "metadata", "git_commit"),
        )
        self._usages = _by_response(document, "token_usages")
        self._latencies = _by_response(document, "response_latencies")
        self._responses: set[str] = set()

    def step(self, number: int, event: dict[str, Any]) -> TranscriptStep:
        kind = text_in(event, "action") or text_in(event, "observation") or "event"
        id_ = event.get("id")
        key = f"event {id_}" if isinstance(id_, int) else None
        action = self._action(kind, event)
        spoken = isinstance(action, TranscriptMessage) and action.message["role"] == "assistant"
        time = moment_in(event, "timestamp")
        if time is not None and time.tzinfo is None:
            time = time.replace(tzinfo=self._zone)
        return TranscriptStep(
            self.session,
            (StepLine(number, "run", key, None),),
            action,
            time,
            self._agent if spoken else None,
            about=self.about,
        )

    def _action(
        self, kind: str, event: dict[str, Any]
    ) -> TranscriptMessage | TranscriptCompaction | TranscriptPrompt | None:
        called = event.get("tool_call_metadata")
        acts = "action" in event
        text = text_in(event, "args", "content") if acts else text_in(event, "content")
        if isinstance(called, dict):
            return self._asked(called) if acts else _answered(called, event)
        if acts and kind == "system" and (text or text_in(event, "message")):
            return TranscriptPrompt(text or event["message"])
        if acts and kind == "message" and (text or text_in(event, "message")):
            role = "user" if event.get("source") == "user" else "assistant"
            return TranscriptMessage({"role": role, "content": text or event["message"]}, "openai")
        if acts and kind == "condensation":
            return _condensed(event.get("args"))
        if not acts and kind == "error" and text:
            return TranscriptMessage(
                {"role": "system", "content": text}, "openai", "error", origin="internal_tool"
            )
        if not acts and kind == "recall" and (told := _recalled(event.get("extras"))):
            return TranscriptMessage(
                {"role": "system", "content": told}, "openai", "recall", origin="internal_tool"
            )
        return None

    def _asked(self, called: dict[str, Any]) -> TranscriptMessage | None:
        """The model's message, for the first of its actions. None for the others."""
        response = called.get("model_response")
        if not isinstance(response, dict):
            return None
        id_ = name_in(response, "id")
        choices = response.get("choices")
        choice = choices[0] if isinstance(choices, list) and choices else None
        message = choice.get("message") if isinstance(choice, dict) else None
        if not isinstance(choice, dict) or not isinstance(message, dict) or id_ in self._responses:
            return None
        if id_ is not None:
            self._responses.add(id_)
        plain: dict[str, Any] = {"role": "assistant", "content": message.get("content")}
        calls = message.get("tool_calls")
        if isinstance(calls, list) and calls:
            plain["tool_calls"] = [
                {name: call.get(name) for name in ("id", "type", "function")}
                for call in calls
                if isinstance(call, dict)
            ]
        usage = response.get("usage")
        usage = usage if isinstance(usage, dict) else self._usages.get(id_ or "")
        model = name_in(response, "model")
        call = None
        if model is not None and usage:
            latency = self._latencies.get(id_ or "", {}).get("latency")
            call = ModelCall(
                model,
                usage,
                None,
                id_,
                name_in(choice, "finish_reason"),
                latency * 1000 if isinstance(latency, int | float) and latency >= 0 else None,
            )
        return TranscriptMessage(plain, "openai", call=call)


def _events(history: list[Any]) -> Iterator[dict[str, Any]]:
    """The events in order. Older versions wrote pairs of an action and its observation."""
    for entry in history:
        if isinstance(entry, dict):
            yield entry
        elif isinstance(entry, list):
            yield from (event for event in entry if isinstance(event, dict))


def _zone_of(events: list[dict[str, Any]]) -> timezone:
    """The time zone of the events, which have the local time of an unnamed machine. A model response also has the
    provider's clock; the two differ by the zone and some seconds."""
    for event in events:
        time = moment_in(event, "timestamp")
        called = event.get("tool_call_metadata")
        created = number_in(called, "model_response", "created") if isinstance(called, dict) else None
        if time is None or time.tzinfo is not None or not created:
            continue
        apart = time.replace(tzinfo=UTC) - datetime.fromtimestamp(created, UTC)
        offset = round(apart / _QUARTER) * _QUARTER
        if abs(offset) <= timedelta(hours=14):
            return timezone(offset)
    return UTC


def _answered(called: dict[str, Any], event: dict[str, Any]) -> TranscriptMessage | None:
    content = event.get("content")
    call_id = text_in(called, "tool_call_id")
    if call_id is None or not isinstance(content, str):
        return None
    return TranscriptMessage({"role": "tool", "tool_call_id": call_id, "content": content}, "openai")


def _condensed(args: Any) -> TranscriptCompaction | None:
    if not isinstance(args, dict):
        return None
    forgotten = args.get("forgotten_event_ids")
    if not isinstance(forgotten, list):
        first = number_in(args, "forgotten_events_start_id")
        last = number_in(args, "forgotten_events_end_id")
        forgotten = list(range(first, last + 1)) if first is not None and last is not None else []
    return TranscriptCompaction(text_in(args, "summary"), tuple(f"event {id_}" for id_ in forgotten))


def _recalled(extras: Any) -> str | None:
    """The text of a recall: repository instructions, and knowledge triggered by a word."""
    if not isinstance(extras, dict):
        return None
    knowledge = extras.get("microagent_knowledge")
    told = [text_in(extras, "repo_instructions"), text_in(extras, "additional_agent_instructions")]
    told += [text_in(one, "content") for one in knowledge or () if isinstance(one, dict)]
    return "\n\n".join(text for text in told if text) or None


def _by_response(document: dict[str, Any], name: str) -> dict[str, dict[str, Any]]:
    """The metrics of each response of the model, by its id."""
    metrics = document.get("metrics")
    listed = metrics.get(name) if isinstance(metrics, dict) else None
    return {
        id_: entry
        for entry in listed or ()
        if isinstance(entry, dict) and (id_ := text_in(entry, "response_id")) is not None
    }


def _title(document: dict[str, Any]) -> str:
    problem = text_in(document, "instance", "problem_statement")
    first = problem.strip().splitlines()[0] if problem else None
    return f"{document['instance_id']}: {first}" if first else str(document["instance_id"])


def _project(document: dict[str, Any]) -> str | None:
    return name_in(document, "instance", "repo")
