"""The actions that callers of each route must be allowed, by operation id."""

from backstory.domain.access import Action

MATRIX: dict[str, Action] = {
    "start_session": Action.APPEND,
    "list_sessions": Action.READ,
    "show_session": Action.READ,
    "search": Action.READ,
    "search_session": Action.READ,
    "dropped": Action.READ,
}
