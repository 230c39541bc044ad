"""A project's `config.json` and its cache, as files."""

import json
from pathlib import Path
from typing import Any

from backstory.application.artifacts.configuration import config_document, configure
from backstory.application.artifacts.loading import cached_bytes
from backstory.application.artifacts.registry import project_state, readable_root
from backstory.application.memory.project import Project
from backstory.application.memory.streams import project_handle
from backstory.domain.artifacts.values import CONFIG_ID
from backstory.domain.errors import InvalidInput
from backstory.domain.policies.artifacts import ArtifactPolicy
from backstory.domain.state import ContextState
from backstory.domain.values import from_microseconds
from backstory.infrastructure.file_tree import FileTree
from backstory.infrastructure.project_files import digest_of

CONFIG, CACHE = "config.json", "cache"
CACHED, CACHE_INDEX = f"{CACHE}/artifacts", f"{CACHE}/cache-index.json"


def project_files(project: Project, tree: FileTree) -> tuple[dict[str, bytes], InvalidInput | None]:
    """The files of a project that has artifacts, by their paths below the folder; and the reason why its `config.json`
    cannot be read. What somebody has edited there is read back first; what cannot be read is left as it is."""
    runtime, name = project._runtime, project.name
    state = project_state(runtime, name)
    if ArtifactPolicy.kind not in state.policies:
        return {}, None
    refused = None
    if _is_own(tree.root, readable_root(runtime, state)) and _is_edited(tree, state):
        try:
            configure(project_handle(runtime, name), name, None)
            state = project_state(runtime, name)
        except InvalidInput as error:
            refused = error
    index, files = list[dict[str, Any]](), dict[str, bytes]()
    for digest, cached in state.artifact_cache.items():
        note = state.artifacts.get(cached.artifact)
        if note is None:
            continue
        data = cached_bytes(project._handle, cached)
        if data is None or digest_of(data) != digest:
            continue
        path = f"{CACHED}/{cached.artifact}.cache"
        # The newest content of an artifact comes last.
        files[path] = data
        index = [one for one in index if one["id"] != cached.artifact]
        index.append(
            {
                "id": cached.artifact,
                "type": note.type,
                "file": path.removeprefix(f"{CACHE}/"),
                "sha256": digest,
                "current": digest == note.digest,
                "size": cached.size,
                "tokens": cached.tokens,
                "loaded_at": from_microseconds(cached.at).isoformat().replace("+00:00", "Z"),
                "loads": cached.loads,
            }
        )
    if refused is None:
        files[CONFIG] = _as_file(config_document(runtime, name, state))
    files[CACHE_INDEX] = _as_file({"project": name, "artifacts": index})
    return files, refused


def _is_own(folder: Path, root: Path | None) -> bool:
    """Whether a folder is where the project's own configuration is."""
    return root is not None and (root / ".forgemind").resolve() == folder


def _is_edited(tree: FileTree, state: ContextState) -> bool:
    there, note = tree.read(CONFIG), state.artifacts.get(CONFIG_ID)
    return there is not None and (note is None or note.digest != digest_of(there))


def _as_file(document: dict[str, Any]) -> bytes:
    return (json.dumps(document, ensure_ascii=False, indent=2) + "\n").encode(errors="replace")
