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
