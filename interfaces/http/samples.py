"""Examples in the OpenAPI document: made from the schemas, with a value for each name."""

from typing import Any

SESSION = "01a1f62c-683d-7344-9f54-ede4fda91375"
TIME = "2026-11-19T23:37:47.841454Z"

VALUES: dict[str, Any] = {
    "action": 17,
    "actor": "coder",
    "agent": "coder",
    "agent_id": "coder",
    "algorithm": "layered",
    "answer": "RS256, because services then need no shared secret.",
    "arguments": {"path": "auth.py"},
    "at": 12,
    "budget": 8000,
    "call_id": "call_1",
    "candidate": 21,
    "candidate_id": 21,
    "checkpoint": "before the refactoring",
    "clarity": 80,
    "code": "unknown-session",
    "command": "make test",
    "commit": "3bfb732",
    "constraint": 19,
    "content": "Which algorithm signs the tokens?",
    "context": 14,
    "data": "AAEC",
    "detail": "session 01a1f62c-683d-7344-9f54-ede4fda91375 does not exist.",
    "encoding": "o200k_base",
    "epoch": 0,
    "error": 23,
    "files": ["auth.py"],
    "format": "openai",
    "from_version": 3,
    "goal": 5,
    "id": 7,
    "importance": 0.7,
    "importance_score": 0.7,
    "item": 7,
    "item_ids": [7],
    "item_type": "TASK",
    "items": [7],
    "job": "tiers",
    "key": "bsk_0a1b2c3d4e5f_…",
    "last_accessed": TIME,
    "limit": 50,
    "memory": 4,
    "message": 8,
    "model": "gpt-5-mini",
    "name": "orchestrator",
    "next": None,
    "part": 0,
    "path": "auth.py",
    "person": "ana",
    "phase": "build",
    "priority": "high",
    "prefix": "bsk_0a1b2c3d4e5f",
    "project": "shop",
    "project_layer": 2,
    "projection": "activity",
    "query": "token lifetime",
    "question": 18,
    "reason": "cited",
    "result": "def sign(): ...",
    "role": "user",
    "session": SESSION,
    "sessions": [SESSION],
    "status": "open",
    "summarized": [7, 8],
    "summary": 30,
    "tags": ["auth"],
    "task": "T-1",
    "text": "Use RS256.",
    "tier": "HOT",
    "title": "Add JWT authentication",
    "to": 12,
    "to_version": 12,
    "type": "message",
    "types": ["message.added"],
    "used_at": 31,
    "version": 12,
    "versions": [12, 13],
    "why": "HS256 needs a shared secret on every service.",
    "window": "main",
}
"""By the name of a field or parameter. One that does not fit a field's type is passed over."""

BODIES: dict[str, Any] = {
    "start_session": {"title": "Add JWT authentication", "project": "shop", "limit": 128_000},
    "work_start_task": {"task": "T-1", "text": "Sign the tokens."},
    "progress_error": {"text": "The signature does not match.", "name": "SignatureError"},
    "window_configure": {"limit": 128_000},
    "window_compacted": {
        "summary": "The tokens are signed with RS256.",
        "summarized": [7, 8],
        "algorithm": "mine",
    },
    "window_choose_policy": {"policy": {"kind": "tiers", "settings": {"hot": 0.9}}},
    "choose_safety": {"policy": {"settings": {"secrets": "mask"}}},
    "choose_memory_policy": {"policy": {"settings": {"archive_every": 50}}},
    "atomic": {
        "operations": [
            {"do": "message", "content": "Which algorithm signs the tokens?"},
            {"do": "decide", "text": "Use RS256.", "actor": "coder"},
        ]
    },
    "record": {
        "type": "shop:order.placed",
        "payload": {"order": "A-17", "note": {"$content": "note"}},
        "contents": {"note": {"text": "Leave it at the door."}},
    },
    "context": {"budget": 8000, "query": "token lifetime", "format": "openai"},
    "before_call": {"next_tokens": 2000},
    "command": {"text": "/log_decision Use RS256 because services only need the public key"},
    "compact": {"algorithm": "layered"},
    "prune": {"target": 0.5},
    "fork": {"at": 12, "why": "Try HS256."},
    "create_key": {"name": "orchestrator", "action": "append", "projects": ["shop"]},
    "rotate_key": {"name": "orchestrator", "grace": 3600},
    "set_retention": {"project": "shop", "after_days": 90},
    "purge": {"without_export": True},
    "purge_memory": {"without_export": True},
}
"""Bodies of operations that need more than their required fields to make sense."""

TEXTS: dict[str, str] = {
    "append_lines": '{"do": "message", "content": "Which algorithm signs the tokens?"}\n'
    '{"do": "work.set_goal", "text": "Sign the tokens."}\n',
    "import_file": '{"type": "user", "uuid": "a1", "parentUuid": null, "sessionId": "s1", '
    '"timestamp": "2026-01-02T03:04:05Z", "message": {"role": "user", "content": "Which algorithm?"}}\n',
}
"""Bodies that are no JSON."""

Schemas = dict[str, dict[str, Any]]


def sample(schema: dict[str, Any], schemas: Schemas, *, whole: bool) -> Any:
    """An example of a schema: with all of its fields, or only those that it requires."""
    return _Sampler(schemas, whole).of(schema, None, ())


def sample_of_parameter(parameter: dict[str, Any], schemas: Schemas) -> Any:
    """An example of a parameter; None where its description says it better."""
    schema = parameter["schema"]
    value = VALUES.get(parameter["name"])
    return value if value is not None and _fits(value, schema, schemas) else None


class _Sampler:
    def __init__(self, schemas: Schemas, whole: bool) -> None:
        self._schemas = schemas
        self._whole = whole

    def of(self, schema: dict[str, Any], name: str | None, above: tuple[str, ...]) -> Any:
        """An example of a schema that stands under a name, within others."""
        schema, above = self._resolved(schema, above)
        if name in VALUES and _fits(VALUES[name], schema, self._schemas):
            return VALUES[name]
        for given in ("default", "const"):
            if given in schema:
                return schema[given]
        if "enum" in schema:
            return schema["enum"][0]
        for one in schema.get("anyOf") or schema.get("oneOf") or ():
            return None if _nullable(schema) else self.of(one, name, above)
        kind = schema.get("type")
        if kind == "object" or "properties" in schema:
            return self._object(schema, above)
        if kind == "array":
            if "prefixItems" in schema:
                return [self.of(one, name, above) for one in schema["prefixItems"]]
            within = self._resolved(schema.get("items", {}), above)
            repeated = len(within[1]) != len(set(within[1]))
            empty = repeated or schema.get("maxItems") == 0
            return [] if empty else [self.of(schema.get("items", {}), name, above)]
        if kind == "string":
            return {"date-time": TIME, "uuid": SESSION}.get(schema.get("format", ""), name or "text")
        return {"integer": max(1, schema.get("minimum", 1)), "number": 0.5, "boolean": True}.get(kind or "")

    def _object(self, schema: dict[str, Any], above: tuple[str, ...]) -> dict[str, Any]:
        required = schema.get("required", ())
        return {
            name: self.of(one, name, above)
            for name, one in schema.get("properties", {}).items()
            if self._whole or name in required
        }

    def _resolved(
        self, schema: dict[str, Any], above: tuple[str, ...]
    ) -> tuple[dict[str, Any], tuple[str, ...]]:
        if "$ref" not in schema:
            return schema, above
        name = schema["$ref"].rsplit("/", 1)[-1]
        return self._schemas[name], (*above, name)


def _nullable(schema: dict[str, Any]) -> bool:
    return any(one.get("type") == "null" for one in schema.get("anyOf", ()))


def _fits(value: Any, schema: dict[str, Any], schemas: Schemas) -> bool:
    """Whether a value is one that the schema allows, as far as its type tells."""
    if "$ref" in schema:
        schema = schemas[schema["$ref"].rsplit("/", 1)[-1]]
    if "anyOf" in schema or "oneOf" in schema:
        return any(_fits(value, one, schemas) for one in (*schema.get("anyOf", ()), *schema.get("oneOf", ())))
    if "enum" in schema:
        return value in schema["enum"]
    if "const" in schema:
        return bool(value == schema["const"])
    if schema.get("format") == "uuid" and value != SESSION:
        return False
    if schema.get("format") == "date-time" and value != TIME:
        return False
    kind = schema.get("type")
    if isinstance(value, int) and not schema.get("minimum", value) <= value <= schema.get("maximum", value):
        return False
    if kind == "array":
        return isinstance(value, list) and all(_fits(one, schema.get("items", {}), schemas) for one in value)
    types: dict[str, tuple[type, ...]] = {
        "string": (str,),
        "integer": (int,),
        "number": (int, float),
        "boolean": (bool,),
        "null": (type(None),),
        "object": (dict,),
    }
    fits = isinstance(value, types.get(kind or "", ()))
    return fits and not (isinstance(value, bool) and kind != "boolean") and "properties" not in schema
