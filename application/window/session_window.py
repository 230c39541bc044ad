"""The windows of a session: configured, watched, made smaller, brought back."""

from backstory.application.handle import delegated
from backstory.application.window.check import AlertHandler
from backstory.application.window.compact import Compactor
from backstory.application.window.configure import configure_window
from backstory.application.window.dropped import DropReader
from backstory.application.window.flash_save import FlashSaver
from backstory.application.window.listing import CompactionReader
from backstory.application.window.prune import Pruner
from backstory.application.window.recover import Recoverer
from backstory.application.window.results import UsagePoint
from backstory.application.window.stubs import Stubber
from backstory.application.window.uncompact import LossReader
from backstory.application.window.undo import Expander, undo_clear
from backstory.application.window.usage import window_usage
from backstory.application.writing.window import WindowWriter
from backstory.domain.errors import InvalidInput
from backstory.domain.values import MAIN_WINDOW


class SessionWindow(WindowWriter):
    """The windows of a session: `session.window`."""

    def configure(
        self,
        window: str = MAIN_WINDOW,
        *,
        limit: int | None = None,
        encoding: str | None = None,
        model: str | None = None,
    ) -> int:
        """Sets a window's limit, encoding and model. In another encoding the live items are counted again, and both
        counts are kept."""
        return configure_window(self._handle, window, limit, encoding, model)

    def on_alert(self, handler: AlertHandler) -> None:
        """Calls `handler` with each alert that this handle raises, besides the store's own handler."""
        if not callable(handler):
            raise InvalidInput("handler", f"must be callable, got {type(handler).__name__}")
        self._handle.opened.alert_handlers.append(handler)

    def usage(
        self, window: str = MAIN_WINDOW, *, after: int = 0, upto: int | None = None
    ) -> list[UsagePoint]:
        """The tokens of a window after each version, abandoned branches included. Points at which it was made smaller
        are marked."""
        return list(window_usage(self._runtime, self._id, window, after, upto))

    def undo_clear(self) -> int:
        """Brings back exactly what the newest `clear` took out, whatever was written since; called again, what the
        clear before it took out."""
        return undo_clear(self._handle)

    compactions = delegated(CompactionReader, CompactionReader.compactions)
    compact = delegated(Compactor, Compactor.compact)
    dropped = delegated(DropReader, DropReader.dropped)
    uncompact = delegated(LossReader, LossReader.uncompact)
    expand = delegated(Expander, Expander.expand)
    undo_compaction = delegated(Expander, Expander.undo_compaction)
    prune = delegated(Pruner, Pruner.prune)
    flash_save = delegated(FlashSaver, FlashSaver.flash_save)
    recover = delegated(Recoverer, Recoverer.recover)
    restore_results = delegated(Stubber, Stubber.restore_results)
