"""One run of a command: where it reads, how it prints, and how it ends when something is wrong."""

import gc
import json
import logging
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, NoReturn

import typer
from rich.console import Console

from backstory.application.operations.logs import set_up_logs
from backstory.application.operations.redaction import without_secrets
from backstory.domain.errors import BackstoryError
from backstory.domain.text.printable import UNPRINTABLE
from backstory.interfaces.cli import START_THRESHOLD
from backstory.interfaces.cli.manual import PIPE_CLOSED
from backstory.interfaces.cli.output.text import SafeConsole, Text

if TYPE_CHECKING:
    from backstory.application.queries.history import SessionHistory
    from backstory.application.session import Session
    from backstory.application.store import ContextStore
    from backstory.interfaces.documents.base import Document

PIPED_WIDTH = 120
"""Columns of what is not printed to a terminal, unless COLUMNS says otherwise."""


class Run:
    """The options, the output and the store of one invocation."""

    def __init__(self, url: str | None) -> None:
        self.url = url
        self.json = False
        self.logs = False
        width = None if sys.stdout.isatty() or "COLUMNS" in os.environ else PIPED_WIDTH
        self.out: Console = SafeConsole(width=width)
        self.errors: Console = SafeConsole(stderr=True)
        # The pool logs what it is about to report as an error anyway.
        logging.getLogger("psycopg").addHandler(logging.NullHandler())

    @contextmanager
    def store(self) -> Iterator["ContextStore"]:
        """The store. An embedded database is brought up to date on the way, others only by `db upgrade`."""
        from backstory.application.bootstrap import find_target
        from backstory.application.store import ContextStore

        migrate = find_target(self.url).is_embedded
        with ContextStore.open(self.url, pool_size=2, migrate=migrate) as store:
            if gc.get_threshold()[0] == START_THRESHOLD:
                gc.freeze()
                gc.set_threshold(700)
            yield store

    @contextmanager
    def session(
        self, reference: str, actor: str | None = None, key: str | None = None
    ) -> Iterator["Session"]:
        """The session that a reference names. It writes as this actor and under this idempotency key."""
        with self.store() as store:
            session = store.session(reference)
            session = session if actor is None else session.by(actor)
            yield session if key is None else session.once(key)

    @contextmanager
    def history(self, reference: str) -> Iterator["SessionHistory"]:
        """The history of the session that a reference names."""
        from backstory.application.queries.history import SessionHistory

        with self.session(reference) as session:
            yield SessionHistory(session)

    def document(self, document: "Document") -> None:
        """Prints the one JSON document of this run."""
        self._write(document, indent=2)

    def line(self, document: "Document") -> None:
        """Prints one of many JSON documents, on a line of its own."""
        self._write(document, indent=None)

    def _write(self, document: "Document", indent: int | None) -> None:
        plain = (sys.stdout.encoding or "").lower().replace("-", "") != "utf8"
        text = json.dumps(document.as_json(), indent=indent, ensure_ascii=plain)
        # JSON leaves some control characters as they are. They occur only inside strings, where \\u is an escape.
        text = UNPRINTABLE.sub(lambda match: f"\\u{ord(match[0]):04x}", text)
        sys.stdout.write(text + "\n")

    def _write_error(self, document: "Document") -> None:
        sys.stderr.write(json.dumps(document.as_json()) + "\n")

    def notice(self, what: str, of: str) -> None:
        """Prints a notice on stderr; the run continues."""
        if self.json:
            from backstory.interfaces.documents.errors import NoticeDocument, NoticeFields

            self._write_error(NoticeDocument(notice=NoticeFields(message=what, of=of)))
        else:
            self.errors.print(Text(f"{what}: {of}", "quiet"))

    def begun(self, what: str) -> None:
        """Prints on stderr that a command runs until it is stopped."""
        if not (self.json or self.logs):
            self.errors.print(Text(f"{what}; Ctrl-C ends it", "quiet"), soft_wrap=True)

    @contextmanager
    def warnings(self, besides: str | None = None) -> Iterator[None]:
        """Prints the store's warnings on stderr, unless the log goes there: a feed that is held up, a server that
        cannot be reached, an event set aside. `besides` is a logger whose warnings are left out."""
        if self.logs:
            yield
            return
        from backstory.interfaces.documents.errors import WarningDocument, WarningFields

        run = self

        class WarningPrinter(logging.Handler):
            def emit(self, record: logging.LogRecord) -> None:
                if record.name == besides:
                    return
                said = without_secrets(record.getMessage(), run.url)
                if run.json:
                    run._write_error(WarningDocument(warning=WarningFields(message=said)))
                else:
                    run.errors.print(Text.assemble(("warning: ", "altered"), said), soft_wrap=True)

        logger, handler = logging.getLogger("backstory"), WarningPrinter(logging.WARNING)
        logger.addHandler(handler)
        try:
            yield
        finally:
            logger.removeHandler(handler)

    def fail(self, code: str, message: str, exit_code: int) -> NoReturn:
        """Ends the run with one sentence on stderr."""
        said = without_secrets(message, self.url)
        if self.json:
            from backstory.interfaces.documents.errors import ErrorDocument, ErrorFields

            self._write_error(ErrorDocument(error=ErrorFields(code=code, message=said)))
        else:
            # A terminal gets whole words on a line, a file one line.
            self.errors.print(Text.assemble(("error: ", "bad"), said), soft_wrap=not self.errors.is_terminal)
        raise typer.Exit(exit_code)


@contextmanager
def reporting(run: Run) -> Iterator[None]:
    """Ends the run with an exit code and a message, never with a traceback."""
    try:
        run.logs = set_up_logs(run.url)
        yield
        sys.stdout.flush()
    except (typer.Exit, typer.Abort, typer.BadParameter):
        raise
    except BackstoryError as error:
        run.fail(error.code, str(error), error.exit_code)
    except BrokenPipeError:
        _forget_output()
        raise typer.Exit(PIPE_CLOSED) from None
    except Exception as error:
        logging.getLogger("backstory").debug("unexpected error", exc_info=error)
        message = f"unexpected {type(error).__name__}: {error}"
        run.fail(BackstoryError.code, message, BackstoryError.exit_code)


def _forget_output() -> None:
    """Redirects stdout to nowhere, so that the interpreter does not fail again when it ends."""
    try:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except OSError:
        return
