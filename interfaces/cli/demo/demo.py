"""`backstory demo`: records, backtracks, forks, replays, compares and verifies a session."""

import shutil
import sys
from collections.abc import Iterable
from uuid import UUID

import typer
from rich.console import Console
from rich.padding import Padding
from rich.rule import Rule

from backstory.application.bootstrap import find_target
from backstory.application.branches.diff import diff_states
from backstory.application.integrity.verification import CANNOT_SEE, Verification
from backstory.application.queries.history import SessionHistory
from backstory.application.queries.lookup import forks_of
from backstory.application.store import ContextStore
from backstory.domain.errors import VerificationFailed
from backstory.interfaces.cli.commands import command, run_of
from backstory.interfaces.cli.demo.story import FORK_TITLE, FORK_VERSIONS, TAG, TITLE, VERSIONS, Story
from backstory.interfaces.cli.look_back.keyboard import keyboard
from backstory.interfaces.cli.look_back.player import QUIT
from backstory.interfaces.cli.look_back.replay import print_step
from backstory.interfaces.cli.look_back.verify import verification_line
from backstory.interfaces.cli.manual import Manual
from backstory.interfaces.cli.options import Json
from backstory.interfaces.cli.output.event_lines import event_line
from backstory.interfaces.cli.output.layout import paragraph
from backstory.interfaces.cli.output.state_view import diff_view, totals
from backstory.interfaces.cli.output.text import Text
from backstory.interfaces.documents.demo import DemoDocument, DemoSawDocument
from backstory.interfaces.documents.errors import ErrorFields
from backstory.interfaces.documents.integrity import VerificationDocument
from backstory.interfaces.wording import short_id


@command(
    "demo",
    Manual(
        examples=("backstory demo",),
        document=DemoDocument,
        fails=(VerificationFailed,),
        notes=(
            "Runs on the embedded Postgres, unless another one is named. On a terminal it waits for a key between "
            "scenes. Its sessions stay until the next run, which purges those that nobody has worked in since."
        ),
    ),
)
def demo(context: typer.Context, json: Json = False) -> None:
    """Watch a session being recorded, backtracked, forked, replayed and verified."""
    run = run_of(context)
    out = Console(quiet=True) if json else run.out
    # Said before the store is opened, since the very first start of an embedded server takes a moment.
    where = "the embedded Postgres" if find_target(run.url).is_embedded else "the Postgres that you named"
    paragraph(out, (f"A session from beginning to end, recorded in {where}.", "quiet"))
    with run.store() as store:
        _remove_earlier(store)
        story = Story(store)
        try:
            outcome = tell(story, out)
        except (typer.Exit, KeyboardInterrupt):
            # Ended early: the next run would not know these sessions for its own.
            for session in reversed(story.sessions):
                store.purge(session.id, without_export=True)
            raise
    if json:
        run.document(outcome)


def tell(story: Story, out: Console) -> DemoDocument:
    """Plays the story and shows it. Everything shown is read back from the store."""
    _heading(out, "An agent works", "Every message, tool call and decision is an event with a version.")
    session = story.begin()
    history = SessionHistory(session)
    _show(out, history)
    _remark(out, f"in the context now: {totals(history.state(story.left))}")

    _chapter(out, "The wrong turn", f"Go back to version {story.before_the_turn}, before the decision.")
    back = story.turn_back()
    history = SessionHistory(session)
    _show(out, history, after=back - 1)
    _remark(out, f"in the context now: {totals(history.state(back))}")
    refused = story.answer_late()
    if refused is not None:
        _remark(out, f"the tool that version {story.left} called answers only now, and is refused:")
        paragraph(out, (f"{type(refused).__name__}: {refused}", "bad"))

    _chapter(out, "The other path", "Work goes on from there. Nothing was deleted.")
    decision = story.take_the_other_path()
    history = SessionHistory(session)
    _show(out, history, after=back)

    _chapter(out, "A call of a model", "What it sees is chosen within a budget, and recorded to the byte.")
    called = history.newest
    made_by_call = story.call_a_model()
    history = SessionHistory(session)
    _show(out, history, after=called)
    _remark(out, "(The answer is part of the demo: no model was called.)")
    _remark(out, f"asked later what it saw when it decided {made_by_call}:")
    saw = session.saw(made_by_call)
    seen = saw.reproduction
    if seen is not None:
        paragraph(
            out, ("same bytes  " if seen.ok else "OTHER BYTES  ", "good" if seen.ok else "bad"), str(seen)
        )

    _chapter(out, "A fork", f"Somebody tries a third way from version {decision - 1}. No event is copied.")
    forked = story.fork(decision - 1)
    _show(out, SessionHistory(forked), after=decision - 1)

    _chapter(out, "Replay", "Any version, on any branch: ● leads to now, ○ was left.")
    for step in history.steps(after=story.before_the_turn - 1, upto=decision):
        if step.entry.version == back:
            print_step(out, step)
        else:
            out.print(event_line(step.entry, out.width))
    replayed = sum(session.at(version).digest() == seen for version, seen in story.digests.items())
    _remark(out, f"{replayed} of {history.newest} versions replay to exactly the state that was seen live")

    _chapter(out, "Compare", f"What the branch that was left knew at {story.left}, and what is known now.")
    before, after = history.state(story.left), history.state(history.newest)
    view = diff_view(diff_states(before.state, after.state), before, after)
    out.print(Padding(view, (0, 0, 0, 1), expand=False))

    _chapter(out, "Verify", "The chain, the contents' digests, and every read model against the log.")
    checks = [session.verify(), forked.verify()]
    for check in checks:
        paragraph(out, verification_line(check))
    _remark(out, f"not visible from inside: {CANNOT_SEE}")

    _chapter(
        out, "Another tool's transcript", "Imported line by line, with its times, tool calls and compaction."
    )
    imported = story.bring_in()
    _show(out, SessionHistory(imported))
    shown = imported.context(8_000, record=False)
    _remark(out, f"the context of its next call: {shown.tokens} tokens of {shown.budget:,}")

    name = short_id(session.id)
    _chapter(out, "Now you", "The session is yours to look at.")
    program = "backstory" if shutil.which("backstory") else sys.argv[0]
    for words in (
        f"replay {name}",
        f"saw {name} {made_by_call}",
        f"replay {short_id(imported.id)}",
        f"at {name} {story.left}",
        f"log {name} --full",
        f"verify {name}",
        "db status",
    ):
        paragraph(out, (f"{program} {words}", "type"))
    _require(checks)
    return DemoDocument(
        session=session.id,
        fork=forked.id,
        imported=imported.id,
        versions=history.newest,
        replayed=replayed,
        saw=DemoSawDocument(decision=made_by_call, assembly=saw.assembly, ok=seen is not None and seen.ok),
        refused=ErrorFields(code=refused.code, message=str(refused)) if refused else None,
        verified=[VerificationDocument.model_validate(check) for check in checks],
    )


def _chapter(out: Console, title: str, words: str) -> None:
    _pause(out)
    _heading(out, title, words)


def _heading(out: Console, title: str, words: str) -> None:
    out.print()
    out.print(Rule(Text(title, "heading"), align="left", style="quiet"))
    _remark(out, words)


def _pause(out: Console) -> None:
    """Waits for a key between two scenes, if somebody watches on a terminal."""
    if not out.is_terminal or out.quiet or not sys.stdin.isatty():
        return
    out.print(Text(" any key continues, q ends the demo", "quiet"))
    with keyboard() as pressed:
        key = pressed()
    if key in QUIT:
        raise typer.Exit


def _remove_earlier(store: ContextStore) -> None:
    """Purges the sessions of earlier demos that nobody has worked in since."""
    sessions = {session.id: session for session in store.sessions(tag=TAG, limit=100)}

    def is_untouched(id: UUID, title: str, version: int) -> bool:
        return id in sessions and (sessions[id].title, sessions[id].version) == (title, version)

    for id in sessions:
        forks = [fork.session for fork in forks_of(store, id)]
        if is_untouched(id, TITLE, VERSIONS) and all(
            is_untouched(fork, FORK_TITLE, FORK_VERSIONS) and not forks_of(store, fork) for fork in forks
        ):
            for left in (*forks, id):
                store.purge(left, without_export=True)


def _remark(out: Console, words: str) -> None:
    paragraph(out, (words, "quiet"))


def _show(out: Console, history: SessionHistory, after: int = 0) -> None:
    for entry in history.entries(after=after):
        out.print(event_line(entry, out.width))


def _require(checks: Iterable[Verification]) -> None:
    for check in checks:
        check.require()
