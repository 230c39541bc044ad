"""A session with the same content each time, for contexts that were recorded earlier.

`goldens/` holds recorded contexts, a few files for each renderer and format: the event and the bytes of the prompt.
They are never changed. `python -m tests.context.golden_session` adds the missing ones, for a new renderer or extractor.
"""

import base64
import json
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from backstory import ContextStore, Session
from backstory.application.context.render import LAYOUTS
from backstory.application.writing.append import decide_and_append
from backstory.application.writing.content_bundle import ContentBundle
from backstory.application.writing.requests import Provenance, Request
from backstory.domain.context.composition import FORMATS
from backstory.domain.entities.entities import EXTRACTOR_VERSION
from backstory.domain.events import Change, ContextAssembled
from backstory.domain.policies.assembly import AssemblyPolicy

GOLDENS = Path(__file__).parent / "goldens"
BEGINNING = datetime(2026, 11, 9, 4, 30, tzinfo=UTC)
PIXEL = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="


def tell(session: Session) -> None:
    """Something of everything that can stand in a context."""
    clock = iter(BEGINNING + timedelta(minutes=minute) for minute in range(10_000))

    def at(actor: str | None = None) -> Any:
        said: Any = session.occurred(next(clock))
        return said.by(actor) if actor else said

    at().set_system_prompt("You are a careful engineer.\nYou say what you do not know.")
    at().message("Answer in English.", role="system")
    at().work.add_constraint("Tokens live exactly one hour")
    at().work.add_constraint("No new dependency\nwithout asking")
    goal = at("ana").work.set_goal("Implement JWT authentication", priority="high", status="in-progress")
    at("ana").work.set_goal("Write unit tests", parent=goal)
    at().work.start_task(
        "AUTH-1", "Validate tokens in auth/jwt.py", acceptance_criteria=["expired ones are refused"]
    )
    at().progress.focus(
        ["auth/jwt.py", "auth/keys.py"], last_edited="auth/jwt.py", current_function="validate"
    )
    at("coder").decide("Use RS256", rationale="services only need the public key")
    at("coder").decide("Keep keys in Redis")
    action = at().work.add_action("Test the refresh flow", priority="P1", assignee="coder", due=BEGINNING)
    at().work.block_action(action, "a staging server")
    at("ana").work.ask("Which claims are mandatory?", context="the gateway checks some of them")
    pinned = at().message("Remember this: the issuer is https://id.example.org — ünï ✓")
    at().items.pin(pinned)
    for number in range(12):
        at().message(f"Step {number}: look at auth/step_{number}.py and at `validate_token()`.")
        at("coder").message(
            {
                "role": "assistant",
                "content": None if number % 2 else "Let me look.",
                "tool_calls": [
                    _openai_call(f"call_{number}_a", "grep", {"pattern": f"step_{number}"}),
                    _openai_call(f"call_{number}_b", "read", {"path": f"auth/step_{number}.py"}),
                ],
            },
            format="openai",
        )
        at().tool_result(f"call_{number}_a", f"auth/step_{number}.py:3: def step_{number}():")
        at().tool_result(f"call_{number}_b", "ValueError: token expired", is_error=bool(number % 3))
    at().message(
        {
            "role": "assistant",
            "content": [
                {"type": "thinking", "thinking": "The clock may be off.", "signature": "c2lnbmVk"},
                {"type": "text", "text": "The clock may be off by a second."},
                {"type": "tool_use", "id": "toolu_1", "name": "date", "input": {"zone": "UTC"}},
            ],
        },
        format="anthropic",
    )
    at().message(
        {
            "role": "user",
            "content": [
                {
                    "type": "tool_result",
                    "tool_use_id": "toolu_1",
                    "content": [{"type": "text", "text": "04:59:59"}],
                },
            ],
        },
        format="anthropic",
    )
    at().message(
        {
            "role": "user",
            "content": [
                {"type": "text", "text": "Here is what I see:"},
                {"type": "image_url", "image_url": {"url": f"data:image/png;base64,{PIXEL}"}},
            ],
        },
        format="openai",
    )
    at().items.save("code", "def validate(token): ...", path="auth/jwt.py", private=False)
    at("coder").items.save("note", "only the coder sees this")
    at().progress.error("jwt.ExpiredSignatureError: Signature has expired", name="ExpiredSignatureError")
    at().message("We'll go with a leeway of 30 seconds because clocks drift.")
    at("coder").message("Agreed. I will add it to validate().", role="agent")
    at("coder").tool_call(
        "edit", {"file_path": "auth/leeway.py", "new_text": "LEEWAY = 30"}, call_id="call_x"
    )
    at().tool_result("call_x", '{"exit_code": 0}')
    at().message("The gateway reads the keys at /.well-known/jwks.json.")


def _openai_call(id: str, name: str, arguments: dict[str, str]) -> dict[str, Any]:
    return {"id": id, "type": "function", "function": {"name": name, "arguments": json.dumps(arguments)}}


def recorded_again(session: Session, golden: dict[str, Any]) -> int:
    """Appends the event of a golden as it was stored, and returns its version."""
    body = ContextAssembled.model_validate_json(golden["event"])
    request = Request(ContentBundle(), Change(body), Provenance())
    done = decide_and_append(session._runtime, session.id, [request], epoch=session.epoch, key=None)
    return done.last_version


def goldens() -> dict[str, dict[str, Any]]:
    return {path.stem: json.loads(path.read_text()) for path in sorted(GOLDENS.glob("*.json"))}


def add_missing(store: ContextStore) -> list[str]:
    added = []
    for format in FORMATS:
        for name, budget, query, agent in (("small", 1_500, None, None), ("asked", 9_000, "redis", "coder")):
            file = GOLDENS / f"{max(LAYOUTS)}-{EXTRACTOR_VERSION}-{format}-{name}.json"
            if file.exists():
                continue
            session = store.start()
            tell(session)
            context = session.context(
                budget,
                format=format,
                query=query,
                agent=agent,
                policy=AssemblyPolicy(renderer=max(LAYOUTS), notice=False),
                as_of=BEGINNING + timedelta(days=1),
                summary=None,
            )
            body = next(event.body for event in session.events() if event.version == context.version)
            body = body.model_copy(update={"query": None})
            prompt = base64.b64encode(context.data).decode()
            file.write_text(json.dumps({"event": body.encode().decode(), "prompt": prompt}, indent=1) + "\n")
            added.append(file.name)
    return added


if __name__ == "__main__":
    with ContextStore.open() as opened:
        print(*add_missing(opened), sep="\n")
