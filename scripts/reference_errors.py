"""docs/reference/errors.md: the error tree, as the code draws it, with what each error means."""

import json
from collections.abc import Iterator
from pathlib import Path

from backstory.domain import errors
from backstory.domain.errors import BackstoryError, InvalidInput
from backstory.interfaces.http.problems import problem_of, problem_type, status_of, title_of

PAGE = Path("docs/reference/errors.md")


def render() -> str:
    tree = (errors.__doc__ or "").split("\n\n")
    drawing = tree[1]
    rows = "\n".join(_rows(BackstoryError))
    return f"""# Errors

Backstory raises these errors. Each message is one sentence that is safe to show and to log. A class in Python, the exit
code of a command and the problem of an answer over HTTP are the same error in three places. A call that raises an error
has written nothing, except that after `OutcomeUnknown` the append may have been committed.

```text
{drawing}
```

`InvalidInput` has the attributes `field` and `rule`. A `Conflict` means that another writer came first: read the state
again and decide again. With an idempotency key, an append is repeated instead of raising `OutcomeUnknown`.

## Side by side

Over HTTP an error is a problem as RFC 9457 describes it, of the media type `application/problem+json`:

```json
{json.dumps(EXAMPLE, indent=2)}
```

`title` is the same for every error of a class, `detail` is the error's message. `field`, `rule`, `needed` and `line`
are there where they mean something, and so are the `version`, `epoch` and newest `backtrack` of a session that moved.
A `VersionConflict` of a request with `If-Match` is 412. 429 and 503 have `Retry-After`. What HTTP itself refuses (an
unknown path, a body that is too large) has the type `about:blank`.

| Python | exit code | status | type | title |
|---|---|---|---|---|
{rows}
"""


EXAMPLE = {
    name: value
    for name, value in problem_of(InvalidInput("importance", "must be between 0 and 1")).as_json().items()
    if value is not None
}


def _rows(kind: type[BackstoryError]) -> Iterator[str]:
    """A row for an error, and for those that are kinds of it."""
    title = title_of(kind)
    yield f"| `{kind.__name__}` | {kind.exit_code} | {int(status_of(kind))} | `{problem_type(kind.code)}` | {title} |"
    for one in kind.__subclasses__():
        if one.__module__ == errors.__name__:
            yield from _rows(one)
