"""Log formats: lines for people, or JSON for machines. Secrets are removed."""

import json
import logging
import os
import sys
from contextvars import ContextVar
from datetime import UTC, datetime
from typing import Any, TextIO

from backstory.application.operations.redaction import without_secrets
from backstory.domain.text.printable import printable

request_id: ContextVar[str | None] = ContextVar("request_id", default=None)
"""The id of the request that the service is answering."""

_USUAL = frozenset(vars(logging.makeLogRecord({}))) | {"message", "asctime", "taskName"}
_CHATTY = ("apscheduler", "httpx", "httpcore")
"""Libraries that log every step at `info`."""


class JsonLines(logging.Formatter):
    """One JSON object a line: time, level, logger, message, and the fields that were given with it."""

    def __init__(self, url: str | None = None) -> None:
        super().__init__()
        self._url = url

    def format(self, record: logging.LogRecord) -> str:
        line: dict[str, Any] = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": self._safe(record.getMessage()),
        }
        for name, value in vars(record).items():
            if name not in _USUAL and name not in line:
                line[name] = self._safe(value)
        if (answering := request_id.get()) is not None:
            line["request_id"] = answering
        if record.exc_info:
            line["exception"] = self._safe(self.formatException(record.exc_info))
        return json.dumps(line)

    def _safe(self, value: Any) -> Any:
        if value is None or isinstance(value, bool | int | float):
            return value
        if isinstance(value, list | tuple):
            return [self._safe(one) for one in value]
        if isinstance(value, dict):
            return {str(name): self._safe(one) for name, one in value.items()}
        return without_secrets(str(value), self._url)


class Lines(logging.Formatter):
    """A line for people. Control characters of recorded text are escaped."""

    def __init__(self, url: str | None = None) -> None:
        super().__init__("%(asctime)s %(levelname)s %(name)s: %(message)s")
        self._url = url

    def format(self, record: logging.LogRecord) -> str:
        return printable(without_secrets(super().format(record), self._url))


def set_up_logs(url: str | None = None, stream: TextIO | None = None) -> bool:
    """Logs to stderr if the settings ask for it. Returns whether they do."""
    if not (os.environ.get("BACKSTORY_LOG_FORMAT") or os.environ.get("BACKSTORY_LOG_LEVEL")):
        return False
    from backstory.application.bootstrap import read_settings

    settings = read_settings()
    level = (settings.log_level or "info").upper()
    handler = logging.StreamHandler(stream or sys.stderr)
    handler.setFormatter(JsonLines(url) if settings.log_format == "json" else Lines(url))
    root = logging.getLogger()
    for before in [one for one in root.handlers if isinstance(one.formatter, JsonLines | Lines)]:
        root.removeHandler(before)
    root.addHandler(handler)
    root.setLevel(level)
    for name in _CHATTY:
        logging.getLogger(name).setLevel(logging.DEBUG if level == "DEBUG" else logging.WARNING)
    return True
