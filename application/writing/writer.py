"""What can be written to a session. A Session writes at once; a Transaction writes all of it together."""

from backstory.application.writing.clearing import ClearingWriter
from backstory.application.writing.conversation import ConversationWriter
from backstory.application.writing.items import ItemWriter
from backstory.application.writing.progress import ProgressWriter
from backstory.application.writing.windows import WindowWriter
from backstory.application.writing.work import WorkWriter


class Writer(ConversationWriter, ItemWriter, ClearingWriter, WorkWriter, ProgressWriter, WindowWriter):
    """Every write. Each returns the version of its event, which is also the id of the item it brought.

    Who, when and why are said first: ``session.by("planner").once("request-7").message("…")``.
    """
