"""The check of policies against a floor: recorded sessions are replayed under each, in a scratch database."""

import json
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

from backstory.application.evaluation.recall import FullHistory, Measured, Strategy, UnderPolicy, measure
from backstory.application.evaluation.recording import Recording
from backstory.application.store import ContextStore
from backstory.domain.errors import InvalidInput
from backstory.domain.policies.assembly import DEFAULT_ASSEMBLY, AssemblyPolicy
from backstory.domain.policies.summary import DEFAULT_SUMMARY, SummaryPolicy
from backstory.domain.policies.window import DEFAULT_WINDOW, WindowPolicy
from backstory.domain.values import is_number, whole_number
from backstory.infrastructure.embedded import server as embedded

P = TypeVar("P")

DEFAULT = "default"
DEFAULT_LIMIT = 32_000
DEFAULT_FLOOR = 0.9


class Policies(NamedTuple):
    """A set of policies: for the window, the context and the summary."""

    name: str
    window: WindowPolicy = DEFAULT_WINDOW
    context: AssemblyPolicy = DEFAULT_ASSEMBLY
    summary: SummaryPolicy | None = DEFAULT_SUMMARY
    budget: int | None = None


def policies_named(name: str) -> Policies:
    """The `default` policies, or those of a JSON file with `name`, `window`, `context`, `summary` (null for never) and
    `budget`. Each part holds the values that differ from the defaults."""
    if name == DEFAULT:
        return Policies(DEFAULT)
    path = Path(name)
    if path.suffix != ".json":
        raise InvalidInput("policy", f"must be {DEFAULT!r} or a .json file, got {name!r}")
    try:
        given = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise InvalidInput("policy", f"{name!r} cannot be read: {error.strerror}") from None
    except ValueError as error:
        raise InvalidInput("policy", f"{name!r} is not JSON: {error}") from None
    if not isinstance(given, dict):
        raise InvalidInput("policy", f"{name!r} must hold an object")
    unknown = set(given) - {"name", "window", "context", "summary", "budget"}
    if unknown:
        raise InvalidInput(
            "policy", f"{min(unknown)!r} is no part; they are name, window, context, summary, budget"
        )
    budget = given.get("budget")
    if budget is not None:
        whole_number("policy.budget", budget, minimum=1)
    called = str(given.get("name", path.stem))
    return Policies(
        called,
        _made(WindowPolicy, "window", called, given.get("window", {})),
        _made(AssemblyPolicy, "context", called, given.get("context", {})),
        None
        if "summary" in given and given["summary"] is None
        else _made(SummaryPolicy, "summary", called, given.get("summary", {})),
        budget,
    )


def _made(kind: type[P], part: str, name: str, given: Any) -> P:
    if not isinstance(given, dict):
        raise InvalidInput(f"policy.{part}", f"must be an object, got {type(given).__name__}")
    known = {field.name for field in fields(kind)}  # type: ignore[arg-type]
    unknown = set(given) - known
    if unknown:
        raise InvalidInput(f"policy.{part}", f"{min(unknown)!r} is no field of {kind.__name__}")
    try:
        return kind(**{"name": name, **given})
    except TypeError as error:
        raise InvalidInput(f"policy.{part}", f"has a field of another type: {error}") from None


@dataclass(frozen=True)
class PolicyCheck:
    """The result of one set of policies over all recordings."""

    policy: str
    sessions: int
    calls: int
    tokens_per_call: float
    full_tokens_per_call: float
    most_tokens: int
    shares: dict[str, float | None]
    """Shares of the uses: `all`, `path`, `identifier`, `far` and `decision`; and of the prompts that have the user's
    newest message: `instruction`. None if there was none."""
    uses: int
    floor: float

    @property
    def saved(self) -> float:
        """The share of the full history's tokens that was saved."""
        return 1 - self.tokens_per_call / self.full_tokens_per_call if self.full_tokens_per_call else 0.0

    @property
    def ok(self) -> bool:
        """Whether names and decisions both reach the floor, and no prompt lacks the newest instruction."""
        floors = {"all": self.floor, "decision": self.floor, "instruction": 1.0}
        return all((share := self.shares[name]) is None or share >= least for name, least in floors.items())


def check_policies(
    recordings: Sequence[Recording],
    policies: Iterable[Policies],
    *,
    limit: int = DEFAULT_LIMIT,
    floor: float = DEFAULT_FLOOR,
    every: int = 1,
) -> list[PolicyCheck]:
    """Measures each set of policies over all recordings."""
    whole_number("limit", limit, minimum=1)
    whole_number("every", every, minimum=1)
    if not is_number(floor) or not 0 <= floor <= 1:
        raise InvalidInput("floor", f"must be a share from 0 to 1, got {floor!r}")
    tried = list(policies)
    measurements: list[list[Measured]] = []
    with scratch_store() as store:
        for recording in recordings:
            strategies: list[Strategy] = [FullHistory()]
            strategies += [
                UnderPolicy(
                    store,
                    limit,
                    candidate.name,
                    assembly=candidate.context,
                    window=candidate.window,
                    summary=candidate.summary,
                    budget=candidate.budget,
                )
                for candidate in tried
            ]
            measurements.append(measure(recording, strategies, every=every))
    by_strategy = [list(measured) for measured in zip(*measurements, strict=True)]
    return [
        _checked(candidate.name, measured, by_strategy[0], floor)
        for candidate, measured in zip(tried, by_strategy[1:], strict=True)
    ]


@contextmanager
def scratch_store() -> Iterator[ContextStore]:
    """A store on a temporary Postgres server."""
    with tempfile.TemporaryDirectory(prefix="backstory-scratch-") as home:
        # Its address is given, since otherwise BACKSTORY_DATABASE_URL would have a say.
        address = embedded.start_or_join(Path(home)).url()
        try:
            with ContextStore.open(address, pool_size=2, migrate=True) as store:
                yield store
        finally:
            embedded.stop(Path(home))


def _checked(name: str, measured: list[Measured], full: list[Measured], floor: float) -> PolicyCheck:
    calls = sum(m.calls for m in measured)
    uses = [use for m in measured for use in m.uses]
    needed = sum(m.decisions_needed for m in measured)
    instructed = sum(m.instructed for m in measured)

    def share(held: list[bool]) -> float | None:
        return sum(held) / len(held) if held else None

    return PolicyCheck(
        name,
        len(measured),
        calls,
        sum(m.tokens for m in measured) / max(1, calls),
        sum(m.tokens for m in full) / max(1, calls),
        max((m.most_tokens for m in measured), default=0),
        {
            "all": share([use.held for use in uses]),
            "path": share([use.held for use in uses if use.name.kind == "path"]),
            "identifier": share([use.held for use in uses if use.name.kind == "identifier"]),
            "far": share([use.held for use in uses if use.far]),
            "decision": sum(m.decisions_held for m in measured) / needed if needed else None,
            "instruction": sum(m.instructions_held for m in measured) / instructed if instructed else None,
        },
        len(uses),
        floor,
    )
