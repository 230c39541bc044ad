"""Writes about decisions that were noticed in messages."""

from functools import partial

from backstory.application.contents.reader import ContentReader
from backstory.application.handle import SessionPart
from backstory.application.writing.new_items import text_item
from backstory.domain.commands import contexts
from backstory.domain.errors import ItemNotLive
from backstory.domain.events import DecisionNoticed
from backstory.domain.values import version_number


class DecisionWriter(SessionPart):
    """Writes about decisions: `session.decisions`."""

    def confirm(self, candidate: int) -> int:
        """Makes a candidate a decision, whose id is the version returned."""
        text, rationale = self._texts_of(candidate)
        bundle = self._handle.bundle()
        command = partial(
            contexts.confirm_decision,
            candidate=candidate,
            item=text_item(self._handle, "decision", [text, rationale or ""]),
            text=bundle.text("text", text),
            rationale=bundle.optional("rationale", rationale),
        )
        return self._handle.command(bundle, command)

    def dismiss(self, candidate: int, *, why: str | None = None) -> int:
        """Dismisses a candidate."""
        bundle = self._handle.bundle()
        ref = bundle.optional("why", why)
        return self._handle.command(bundle, partial(contexts.dismiss_decision, candidate=candidate, why=ref))

    def _texts_of(self, candidate: int) -> tuple[str, str | None]:
        version_number("candidate", candidate)
        runtime, stream = self._handle.runtime, self._handle.id
        reader = ContentReader.on_branch(runtime, stream, runtime.require_head(stream).version)
        event = reader.events([candidate]).get(candidate)
        if event is None or not isinstance(event.body, DecisionNoticed):
            raise ItemNotLive(f"decision {candidate} does not wait to be confirmed or dismissed.")
        text, rationale = event.body.text, event.body.rationale
        why = None if rationale is None else reader.text_at((candidate, rationale.part))
        return reader.text_at((candidate, text.part)), why
