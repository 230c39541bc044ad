"""Writes of windows: policies, compactions made elsewhere, a fresh start."""

from collections.abc import Sequence
from functools import partial

from backstory.application.handle import SessionPart
from backstory.application.writing.content_bundle import ContentBundle
from backstory.application.writing.new_items import text_item
from backstory.domain.commands import clears, contexts, items, windows
from backstory.domain.values import MAIN_WINDOW, listed


class WindowWriter(SessionPart):
    """Writes of windows: `session.window`."""

    def choose_policy(self, policy: windows.Policy) -> int:
        """Sets the session's policy for windows, tiers or pruning. It is recorded with its numbers."""
        return self._handle.write(ContentBundle(), windows.choose_policy(policy))

    def compacted(
        self,
        summary: str | None,
        *,
        summarized: Sequence[int] = (),
        dropped: Sequence[int] = (),
        kept: Sequence[int] = (),
        algorithm: str,
        window: str = MAIN_WINDOW,
        policy: str | None = None,
        summarizer: str | None = None,
        trigger: str | None = None,
        tokens_before: int | None = None,
    ) -> int:
        """Takes items out of a window and brings a summary that stands for those summarized."""
        bundle = self._handle.bundle()
        ref = bundle.optional("summary", summary)
        gone = (listed("summarized", summarized), listed("dropped", dropped))
        item = (
            text_item(self._handle, "summary", [summary], windows=(window,)) if summary is not None else None
        )
        decider = partial(
            contexts.compact_items,
            item=item,
            summary=ref,
            summarized=gone[0],
            dropped=gone[1],
            kept=items.checked_items(named) if (named := listed("kept", kept)) else (),
            window=window,
            algorithm=algorithm,
            policy=policy,
            summarizer=summarizer,
            trigger=trigger,
            tokens_before=tokens_before,
        )
        return self._handle.command(bundle, decider)

    def clear(self, why: str | None = None) -> int:
        """Takes everything out of the main window but what a session cannot be without: system prompt and leading
        system messages, constraints, decisions, open goals, the current task, pinned items. See `undo_clear`."""
        bundle = self._handle.bundle()
        return self._handle.command(bundle, partial(clears.clear_context, why=bundle.optional("why", why)))
