"""The beginning of a session in a project with a folder: its configuration is read, its essential artifacts loaded."""

import logging

from backstory.application.artifacts.configuration import configure, sessions_begin_with
from backstory.application.artifacts.loading import ArtifactLoader
from backstory.application.artifacts.registry import project_state, readable_root, recorded_root
from backstory.application.handle import SessionHandle
from backstory.application.memory.streams import project_handle
from backstory.application.writing.content_bundle import ContentBundle
from backstory.domain.artifacts.values import ESSENTIAL
from backstory.domain.commands import facts
from backstory.domain.errors import BackstoryError, InvalidInput, NotFound, Refused

_LOGGER = logging.getLogger(__name__)


def begin(handle: SessionHandle, project: str | None) -> None:
    """Reads the project's configuration again, says what it says of the project, and loads its artifacts of load layer
    1. A configuration that cannot be read is logged: the session has begun all the same."""
    if project is None:
        return
    runtime = handle.runtime
    state = project_state(runtime, project)
    if recorded_root(state) is None:
        return
    handle = handle.with_(key=None)
    if readable_root(runtime, state) is not None:
        try:
            configure(project_handle(runtime, project).with_(actor=handle.actor), project, None)
        except (InvalidInput, NotFound, Refused) as error:
            _LOGGER.warning("the configuration of project %s is not read: %s", project, error)
        state = project_state(runtime, project)
    begins_with = sessions_begin_with(state)
    if begins_with:
        handle.write(ContentBundle(), facts.set_project(name=project, **begins_with))
    essential = [id for id, note in state.artifacts.items() if note.load_layer == ESSENTIAL]
    try:
        skipped = ArtifactLoader(handle).load_all(essential).skipped if essential else ()
    except BackstoryError as error:
        _LOGGER.warning("artifacts of project %s are not loaded: %s", project, error)
        return
    for one in skipped:
        _LOGGER.warning("artifact %s of project %s is not loaded: %s", one.name, project, one.why)
