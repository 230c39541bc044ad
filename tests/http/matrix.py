"""The actions that callers of each route must be allowed, by operation id."""

from backstory.domain.access import Action

MATRIX: dict[str, Action] = {
    "start_session": Action.APPEND,
    "list_sessions": Action.READ,
    "show_session": Action.READ,
    "search": Action.READ,
    "search_session": Action.READ,
    "dropped": Action.READ,
    "list_projects": Action.READ,
    "remember": Action.APPEND,
    "list_memories": Action.READ,
    "recall": Action.READ,
    "show_memory": Action.READ,
    "show_memory_history": Action.READ,
    "supersede": Action.APPEND,
    "forget": Action.APPEND,
    "erase_memory": Action.OPERATE,
    "remember_from_session": Action.APPEND,
    "recall_in_session": Action.READ,
}
