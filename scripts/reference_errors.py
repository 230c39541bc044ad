"""docs/reference/errors.md: the error tree, as the code draws it, with what each error means."""

from pathlib import Path

from backstory.domain import errors

PAGE = Path("docs/reference/errors.md")


def render() -> str:
    tree = (errors.__doc__ or "").split("\n\n")
    drawing = tree[1]
    return f"""# Errors

Every error that Backstory raises on purpose is one of these, with one clear sentence that is safe to show and to
log. The class, the exit code of a command and the problem type are the same error in three places. An error changes
nothing, but for `OutcomeUnknown`, where nobody can say.

```text
{drawing}
```

`InvalidInput` names the field and the rule: its `field` and `rule` attributes have them apart. A `Conflict` means
that another writer came first: read again and decide again. Of the `Unavailable` errors only `OutcomeUnknown` may
have done something; under an idempotency key it is repeated instead of raised.
"""
