"""docs/reference/errors.md: the error tree, as the code draws it, with what each error means."""

from pathlib import Path

from backstory.domain import errors

PAGE = Path("docs/reference/errors.md")


def render() -> str:
    tree = (errors.__doc__ or "").split("\n\n")
    drawing = tree[1]
    return f"""# Errors

Backstory raises these errors. Each message is one sentence that is safe to show and to log. The class, the exit code
of a command and the problem type are three names of the same error. A call that raises an error has written nothing,
except that after `OutcomeUnknown` the append may have been committed.

```text
{drawing}
```

`InvalidInput` has the attributes `field` and `rule`. A `Conflict` means that another writer came first: read the state
again and decide again. With an idempotency key, an append is repeated instead of raising `OutcomeUnknown`.
"""
