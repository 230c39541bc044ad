"""A project's `config.json`: read into its record, and written from it."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

from pydantic import Field

from backstory.application.artifacts.register import (
    Scanned,
    Skipped,
    facts_of,
    is_registered,
    read_text,
    registration,
    renewed,
    scan,
    write,
)
from backstory.application.artifacts.registry import (
    ROOT,
    artifact_policy,
    project_state,
    read_artifacts,
    recorded_root,
)
from backstory.application.handle import SessionHandle
from backstory.application.runtime import Runtime
from backstory.application.writing.content_bundle import ContentBundle
from backstory.application.writing.requests import Request
from backstory.domain import events as e
from backstory.domain.artifacts.values import CONFIG_ID, CONFIG_PATH, ArtifactDraft, FileFacts
from backstory.domain.errors import BackstoryError, InvalidInput, NotFound, Refused
from backstory.domain.events.base import Change
from backstory.domain.policies.artifacts import ArtifactPolicy
from backstory.domain.state import ContextState
from backstory.domain.triggers.values import (
    DEFAULT_TRIGGERS,
    KIND,
    SETTING,
    as_document,
    as_settings,
    checked_triggers,
    recorded_triggers,
)
from backstory.domain.values import Label, Value, build
from backstory.infrastructure.project_files import allowed_root, checked_patterns
from backstory.infrastructure.trigger_conditions import require_conditions

VERSION = "1.0"
PROJECT = "project"
"""The setting of the recorded artifact policy with what sessions of the project begin with."""


SCAN = "scan"
"""The setting with the globs by which files are found."""


class Configured(NamedTuple):
    """The result of reading a project's configuration."""

    root: str
    registered: tuple[str, ...]
    """Artifacts that are new or have changed."""
    unchanged: int
    skipped: tuple[Skipped, ...]
    triggers: tuple[str, ...]
    """The names of the triggers that are on."""


class ProjectSection(Value):
    """What sessions of the project begin with."""

    name: Label | None = None
    id: Label | None = None
    current_idea: Label | None = None
    status: Label | None = None


class ProjectConfig(Value):
    """The content of `config.json`. Every field may be left out."""

    version: str = VERSION
    project: ProjectSection = ProjectSection()
    artifacts: list[dict[str, Any]] = Field(default_factory=list)
    scan: list[str] = Field(default_factory=list)
    preload: dict[str, list[str]] | None = None
    share: float | None = None
    stale_minutes: float | None = None
    refresh_triggers: list[dict[str, Any]] | None = None


def read_config(data: bytes) -> tuple[ProjectConfig, list[ArtifactDraft]]:
    """The configuration in a file. InvalidInput names the field."""
    try:
        fields = json.loads(data)
    except (ValueError, RecursionError) as error:
        raise InvalidInput("config.json", f"is no JSON: {error}") from None
    if not isinstance(fields, dict):
        raise InvalidInput("config.json", f"must be an object, got {type(fields).__name__}")
    try:
        config = build(ProjectConfig, **fields)
        drafts = []
        for place, one in enumerate(config.artifacts):
            try:
                drafts.append(_draft(one))
            except InvalidInput as error:
                raise InvalidInput(f"artifacts.{place}.{error.field}", error.rule) from None
        ids = [draft.id for draft in drafts]
        for id in ids:
            if ids.count(id) > 1:
                raise InvalidInput("artifacts", f"has {id!r} twice")
    except InvalidInput as error:
        raise InvalidInput(f"config.json.{error.field}", error.rule) from None
    except TypeError:
        raise InvalidInput("config.json", "must have names as its keys") from None
    return config, drafts


def configure(handle: SessionHandle, name: str, root: Path | str | None) -> Configured:
    """Reads a project's configuration into its record. What it says already is not recorded again."""
    runtime, state = handle.runtime, project_state(handle.runtime, name)
    wanted = recorded_root(state) if root is None else root
    if wanted is None:
        raise InvalidInput("root", "must be given: the project has no folder yet")
    folder = allowed_root(wanted, runtime.roots)
    policy = artifact_policy(state)
    try:
        file = read_text(folder, CONFIG_PATH, policy)
        config, drafts = read_config(file.data)
    except NotFound:
        file, config, drafts = None, ProjectConfig(), []
    checked_patterns("config.json.scan", config.scan)
    chosen = _policy(state, config, str(folder))
    triggers = recorded_triggers(state.policies.get(KIND))
    if config.refresh_triggers is not None:
        triggers = checked_triggers(config.refresh_triggers)
    elif KIND not in state.policies:
        triggers = DEFAULT_TRIGGERS
    require_conditions(triggers)
    if file is not None:
        drafts = [_config_draft(state, drafts), *(one for one in drafts if one.id != CONFIG_ID)]
    requests = [*_policies(handle, state, chosen, as_settings(triggers))]
    known = {one.id: one.summary for one in read_artifacts(runtime, state, state.artifacts)}
    registered, unchanged, skipped = list[str](), 0, list[Skipped]()
    for draft in drafts:
        facts: FileFacts | None = None
        if draft.path is not None:
            try:
                facts = facts_of(read_text(folder, draft.path, policy), handle.encoding())
            except BackstoryError as error:
                skipped.append(Skipped(draft.id, str(error)))
                if isinstance(error, Refused):
                    continue
        note = state.artifacts.get(draft.id)
        if note is not None and is_registered(note, draft, facts, known.get(draft.id)):
            unchanged += 1
            continue
        requests.append(registration(handle, draft, facts))
        registered.append(draft.id)
    write(handle, requests)
    found = Scanned((), 0, ())
    if config.scan:
        state = project_state(runtime, name)
        known = {one.id: one.summary for one in read_artifacts(runtime, state, state.artifacts)}
        found = scan(handle.with_(key=None), state, folder, config.scan, {}, known)
    return Configured(
        root=str(folder),
        registered=(*registered, *found.registered),
        unchanged=unchanged + found.unchanged,
        skipped=(*skipped, *found.skipped),
        triggers=tuple(one.name for one in triggers if one.enabled),
    )


def config_document(runtime: Runtime, name: str, state: ContextState) -> dict[str, Any]:
    """The content of `config.json` for a project as it is recorded."""
    chosen = state.policies.get(ArtifactPolicy.kind)
    settings = {} if chosen is None else chosen["settings"]
    policy = artifact_policy(state)
    section = {"name": name, **settings.get(PROJECT, {})}
    return {
        "version": VERSION,
        "project": section,
        "artifacts": [
            {
                field: list(value) if isinstance(value, tuple) else value
                for field, value in one._asdict().items()
                if field in ArtifactDraft.model_fields and value not in (None, ())
            }
            for one in read_artifacts(runtime, state, dict(sorted(state.artifacts.items())))
            if one.id != CONFIG_ID
        ],
        SCAN: list(settings.get(SCAN, ())),
        "preload": {str(layer): list(names) for layer, names in sorted(policy.preload.items())},
        "share": policy.share,
        "stale_minutes": policy.stale_minutes,
        SETTING: [as_document(one) for one in recorded_triggers(state.policies.get(KIND))],
    }


def sessions_begin_with(state: ContextState) -> Mapping[str, str]:
    """What the configuration says of the project: id, current idea, status."""
    chosen = state.policies.get(ArtifactPolicy.kind)
    found: Mapping[str, str] = {} if chosen is None else chosen["settings"].get(PROJECT, {})
    return found


def _draft(given: Mapping[str, Any]) -> ArtifactDraft:
    fields = {key: tuple(value) if isinstance(value, list) else value for key, value in given.items()}
    if "name" not in fields and "id" in fields:
        fields["name"] = fields["id"]
    return build(ArtifactDraft, **fields)


def _config_draft(state: ContextState, drafts: list[ArtifactDraft]) -> ArtifactDraft:
    """The configuration as an artifact of itself."""
    for one in drafts:
        if one.id == CONFIG_ID:
            return one
    note = state.artifacts.get(CONFIG_ID)
    if note is not None:
        return renewed(note, CONFIG_ID, None)
    return ArtifactDraft(
        id=CONFIG_ID, type="config", name="Project Configuration", path=CONFIG_PATH, load_layer=1
    )


def _policy(state: ContextState, config: ProjectConfig, root: str) -> dict[str, Any]:
    """The settings of the artifact policy that the configuration asks for."""
    chosen = state.policies.get(ArtifactPolicy.kind)
    policy = artifact_policy(state)
    fields = {
        name: value
        for name, value in (
            ("preload", config.preload),
            ("share", config.share),
            ("stale_minutes", config.stale_minutes),
        )
        if value is not None
    }
    try:
        wanted = ArtifactPolicy(
            **{
                "name": policy.name,
                "version": policy.version,
                **{field: getattr(policy, field) for field in ("preload", "share", "stale_minutes")},
                "most_bytes": policy.most_bytes,
                "most_scanned": policy.most_scanned,
                **fields,
            }
        )
    except InvalidInput as error:
        raise InvalidInput(f"config.json.{error.field.removeprefix('policy.')}", error.rule) from None
    section = config.project.model_dump(exclude_none=True)
    section.pop("name", None)
    if not section and chosen is not None:
        section = chosen["settings"].get(PROJECT, {})
    settings = wanted.settings() | {ROOT: root} | ({PROJECT: section} if section else {})
    scanned = config.scan or ([] if chosen is None else chosen["settings"].get(SCAN, []))
    if scanned:
        settings[SCAN] = scanned
    return {"kind": wanted.kind, "name": wanted.name, "version": wanted.version, "settings": settings}


def _policies(
    handle: SessionHandle, state: ContextState, artifacts: dict[str, Any], triggers: dict[str, Any]
) -> list[Request]:
    wanted = [artifacts, {"kind": KIND, "name": "default", "version": 1, "settings": triggers}]
    return [
        Request(ContentBundle(), Change(build(e.PolicyChosen, **one)), handle.provenance)
        for one in wanted
        if _recorded(state, one["kind"]) != one["settings"]
    ]


def _recorded(state: ContextState, kind: str) -> Any:
    chosen = state.policies.get(kind)
    return None if chosen is None else chosen["settings"]
