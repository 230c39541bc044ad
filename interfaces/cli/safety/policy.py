"""`backstory safety policy`: what is done with secrets and with texts that read like instructions."""

from dataclasses import replace
from typing import Annotated, Any

import typer

from backstory.domain.errors import Conflict, InvalidInput, NotFound, Refused
from backstory.interfaces.cli.commands import command, run_of
from backstory.interfaces.cli.manual import Manual
from backstory.interfaces.cli.memory.options import ProjectName, open_project
from backstory.interfaces.cli.options import Actor, Json
from backstory.interfaces.documents.safety import SafetyPolicyDocument
from backstory.interfaces.wording import one_line

RULES = ("secrets", "imported_secrets", "instructions")


@command(
    "safety policy",
    Manual(
        examples=(
            "backstory safety policy --project shop",
            "backstory safety policy --project shop --set secrets=mask",
        ),
        document=SafetyPolicyDocument,
        fails=(NotFound, Refused, Conflict),
        notes=(
            "`secrets` and `imported_secrets` are flag or mask, `instructions` is flag or quarantine. The choice is "
            "the project's, and holds for what is written from here on."
        ),
    ),
)
def policy(
    context: typer.Context,
    project: ProjectName = None,
    set_: Annotated[
        list[str] | None,
        typer.Option("--set", metavar="RULE=VALUE", help="A rule to change; may be repeated."),
    ] = None,
    name: Annotated[
        str | None, typer.Option(metavar="NAME", help="The name of the changed policy, which is recorded.")
    ] = None,
    actor: Actor = None,
    json: Json = False,
) -> None:
    """Show what is done with suspicious texts in a project, or change it."""
    run = run_of(context)
    changes: dict[str, Any] = dict(_rule(one) for one in set_ or ())
    with open_project(run, project, actor) as found:
        shown = found.safety.policy
        if changes or name is not None:
            shown = replace(shown, **changes, name=name or shown.name, version=shown.version + 1)
            found.safety.choose(shown)
    document = SafetyPolicyDocument.of(shown)
    if json:
        run.document(document)
        return
    run.out.print(f"{one_line(document.name)}, version {document.version}", soft_wrap=True)
    for rule in RULES:
        run.out.print(f"  {rule} = {getattr(document, rule)}", soft_wrap=True)


def _rule(given: str) -> tuple[str, str]:
    name, equals, value = given.partition("=")
    if not equals or name not in RULES:
        raise InvalidInput("set", f"must be RULE=VALUE with one of {', '.join(RULES)}, got {given!r}")
    return name, value
