"""The four priorities of the Moderator document's matrix, and the points that order what it leaves open."""

from collections.abc import Collection, Iterable, Mapping
from enum import IntEnum

from backstory.domain.policies.pruning import DEFAULT_PRUNING, PruningPolicy
from backstory.domain.records import Item
from backstory.domain.state import ContextState
from backstory.domain.values import MAIN_WINDOW, Role

_MINUTE = 60_000_000


class KeepPriority(IntEnum):
    """The priority of an item in a prune."""

    ALWAYS_KEEP = 1
    KEEP_IF_RELEVANT = 2
    KEEP_IF_SPACE = 3
    ALWAYS_PRUNE = 4


class ItemPriorities:
    """The work that the items of a window are weighed against: the current task, what it depends on, the files in
    focus, the newest messages of the user, and who refers to whom."""

    def __init__(
        self,
        state: ContextState,
        *,
        at: int,
        essential: Collection[int] = (),
        window: str = MAIN_WINDOW,
        policy: PruningPolicy = DEFAULT_PRUNING,
        paths: Mapping[int, str] | None = None,
        digests: Mapping[int, str] | None = None,
    ) -> None:
        """`at` is the moment that ages count to, in microseconds since 1970; `essential` are the items that stay in any
        case; `paths` are the files that saved items came from, and `digests` those of contents, as far as they are
        known."""
        self._state = state
        self._at = at
        self._essential = essential
        self._policy = policy
        self._paths = paths or {}
        live = state.live(window)
        task = state.tasks.get(state.current_task) if state.current_task is not None else None
        self._since = None if task is None else task.item
        self._needed_tasks = frozenset(() if task is None else task.depends_on_tasks)
        self._needed_files = frozenset(() if task is None else task.depends_on_files)
        self._focused = frozenset((*state.focus.files, *filter(None, [state.focus.last_edited])))
        told = [item for item in state.feedback if item in state.items]
        self._feedback = frozenset(told[-policy.feedback :] if policy.feedback else ())
        self._recent_tasks = frozenset(
            state.completed_tasks[-policy.recent_tasks :] if policy.recent_tasks else ()
        )
        self._newest_of_path = {path: item for item, path in sorted(self._paths.items())}
        self._repeated = _repeated_items(
            [item for item in live if item.tokens >= policy.repeated_tokens], essential, digests or {}
        )
        self._references: dict[int, int] = {}
        for item in live:
            for named in item.references:
                self._references[named] = self._references.get(named, 0) + 1

    def priority(self, item: Item) -> KeepPriority:
        """The place of an item in the matrix."""
        path = self._paths.get(item.id)
        if item.id in self._essential:
            return KeepPriority.ALWAYS_KEEP
        if self._is_always_pruned(item, path):
            return KeepPriority.ALWAYS_PRUNE
        if item.type in self._policy.optional and not self._is_of_current_task(item):
            return KeepPriority.KEEP_IF_SPACE
        relevant = (
            self._is_of_current_task(item)
            or self._is_needed(item)
            or item.task in self._recent_tasks
            or item.id in self._feedback
            or item.type.lower() in self._policy.relevant
            or path in self._focused
            or item.id in self._state.errors
            or item.id in self._state.questions
            or item.id in self._state.actions
        )
        return KeepPriority.KEEP_IF_RELEVANT if relevant else KeepPriority.KEEP_IF_SPACE

    def points(self, item: Item) -> int:
        """0 to 100: recency, relevance to the current task and what it depends on, type, references."""
        policy = self._policy
        minutes = max(0, self._at - item.touched) / _MINUTE
        recency = next((points for below, points in sorted(policy.recency.items()) if minutes < below), 0)
        relevance = 0
        if self._is_of_current_task(item):
            relevance = policy.current_task
        elif self._is_needed(item):
            relevance = policy.dependency
        kind = "user_message" if item.type == "message" and item.role == Role.USER else item.type.lower()
        references = policy.reference * (self._references.get(item.id, 0) + item.accesses)
        return recency + relevance + policy.types.get(kind, 0) + min(policy.references_most, references)

    def _is_always_pruned(self, item: Item, path: str | None) -> bool:
        """Debug output, an older copy of a file that was saved again, a content that stands elsewhere as well, and what
        belongs to a task completed long ago. What was deprecated or resolved has left the window already."""
        if item.type.lower() in self._policy.disposable or item.id in self._repeated:
            return True
        if path is not None and self._newest_of_path[path] != item.id:
            return True
        task, completed = item.task, self._state.completed_tasks
        if task is None or task in self._state.tasks or task in self._needed_tasks:
            return False
        remembered = completed[-self._policy.tasks_remembered :] if self._policy.tasks_remembered else []
        if task in remembered:
            return False
        # The state remembers the newest completed tasks only. Once it has forgotten some, a task that it does not
        # know is one of those.
        forgotten = self._state.counters.get("tasks_completed", 0) > len(completed)
        return task in completed or forgotten

    def _is_of_current_task(self, item: Item) -> bool:
        """The task of an item. One that names none belongs to the task during which it was added."""
        if self._since is None:
            return False
        return item.task == self._state.current_task if item.task is not None else item.id >= self._since

    def _is_needed(self, item: Item) -> bool:
        return item.task in self._needed_tasks or self._paths.get(item.id) in self._needed_files


def _repeated_items(
    items: Iterable[Item], essential: Collection[int], digests: Mapping[int, str]
) -> frozenset[int]:
    """The items whose content all who see them can read in another one. Of several the one stays that is essential,
    else the newest. A private item does not stand in for a shared one, or for another agent's."""
    alike: dict[str, list[Item]] = {}
    for item in items:
        if item.id in digests:
            alike.setdefault(digests[item.id], []).append(item)
    repeated: set[int] = set()
    for found in alike.values():
        shared = [item for item in found if not item.private]
        owners = {item.agent for item in found if item.private}
        repeated |= _all_but_one(shared, essential)
        for owner in owners:
            own = [item for item in found if item.private and item.agent == owner]
            repeated |= {item.id for item in own} if shared else _all_but_one(own, essential)
    return frozenset(repeated)


def _all_but_one(items: Iterable[Item], essential: Collection[int]) -> set[int]:
    by_worth = sorted(items, key=lambda item: (item.id in essential, item.id))
    return {item.id for item in by_worth[:-1]}
