"""Errors and notices."""

from pydantic import Field

from backstory.interfaces.documents.base import Document


class ErrorFields(Document):
    """An error."""

    code: str = Field(description="Its code, such as unknown-session.")
    message: str = Field(description="One sentence.")


class ErrorDocument(Document):
    """The error that ended a command."""

    error: ErrorFields = Field(description="The error.")


class NoticeFields(Document):
    """Something worth knowing."""

    message: str = Field(description="One sentence.")
    of: str = Field(description="The file, project or session that it is about.")


class NoticeDocument(Document):
    """A notice. The command continues."""

    notice: NoticeFields = Field(description="The notice.")


class WarningFields(Document):
    """A warning of the store."""

    message: str = Field(description="One sentence.")


class WarningDocument(Document):
    """A warning. The command continues."""

    warning: WarningFields = Field(description="The warning.")


class ProblemDocument(Document):
    """An error over HTTP, as RFC 9457 describes it. Fields that do not apply are left out."""

    type: str = Field(
        description="The URI that names the error; about:blank for what the status says already."
    )
    title: str = Field(description="What this error is, always in the same words.")
    status: int = Field(description="The HTTP status.")
    detail: str | None = Field(default=None, description="What went wrong this time, in one sentence.")
    code: str | None = Field(default=None, description="The error's code, such as unknown-session.")
    exit_code: int | None = Field(
        default=None, description="The exit code of a command that meets this error."
    )
    field: str | None = Field(default=None, description="The field that breaks a rule.")
    rule: str | None = Field(default=None, description="The rule.")
    needed: int | None = Field(default=None, description="The least size that would do.")
    line: int | None = Field(
        default=None, description="The line of the body that was refused; those before it were written."
    )
    version: int | None = Field(default=None, description="The version that the session is at now.")
    epoch: int | None = Field(default=None, description="The epoch that the session is in now.")
    backtrack: int | None = Field(default=None, description="The version of the session's newest backtrack.")
