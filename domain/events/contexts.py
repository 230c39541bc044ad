"""Events of what the model is shown: the system prompt, session summaries, assembled contexts."""

from typing import Any, ClassVar

from pydantic import AwareDatetime, Field

from backstory.domain.events.base import EventBody
from backstory.domain.log.ranges import from_ranges
from backstory.domain.log.references import ContentRef
from backstory.domain.values import MAIN_WINDOW, ItemId, Label, Tokens, Value


class SystemPromptSet(EventBody):
    """The text that every call begins with. It takes the place of the one before it, and is never left out."""

    type: ClassVar[str] = "prompt.set"
    verbs: ClassVar[tuple[str, ...]] = ("brings", "removes")
    text: ContentRef
    """The prompt."""


class SummaryMade(EventBody):
    """The session so far in short. It takes the place of the summary before it."""

    type: ClassVar[str] = "summary.made"
    verbs: ClassVar[tuple[str, ...]] = ("brings", "removes")
    text: ContentRef
    """The summary as markdown."""
    document: ContentRef
    """The same as fields, in JSON, for the next summary to build on."""
    upto: ItemId
    """The version of the state that was summarized."""
    sources: str = ""
    """The items it was made from, as ranges of versions."""
    replaces: ItemId | None = None
    """The summary before it, on which it builds."""
    summarizer: Label
    """The summarizer with its version: offline/1, endpoint/1, …"""
    model: Label | None = None
    """The model that was asked."""
    prompt_version: int | None = None
    """The version of the prompt that the model was asked with."""
    fallback: ContentRef | None = None
    """The reason that another summarizer than the configured one made it."""
    policy: Label = "default"
    """The summary policy's name."""

    def derived_from(self) -> tuple[int, ...]:
        before = () if self.replaces is None else (self.replaces,)
        return (*from_ranges(self.sources), *before)


class Section(Value):
    """One part of an assembled context."""

    name: Label
    """system, rules, summary, task, history, state, older, …"""
    tokens: Tokens
    """Its tokens, as the window counts them."""
    items: str = ""
    """The items in it, as ranges of versions; of the section memory, versions of the project."""
    shown: int | None = None
    """The number of shown entities, which are found in the items; of lines of the summary; of files in focus; of the
    history, the characters that the results of its newest exchange are cut to, where they would not fit whole."""
    further: str = ""
    """Of items that have left every window, the versions of their further texts, such as a tool's results."""


class ContextAssembled(EventBody):
    """The context of one call was put together. With the log, this is enough to put together the same bytes again."""

    type: ClassVar[str] = "context.assembled"
    verbs: ClassVar[tuple[str, ...]] = ("touches",)
    at: ItemId
    """The version whose state it shows."""
    as_of: AwareDatetime
    """The clock it was made by: what is old is old as of then."""
    format: Label
    """openai, anthropic, markdown or parts."""
    renderer: int = Field(ge=1)
    """The renderer's version. Renderers are never changed once they are released."""
    extractor: int = Field(default=1, ge=1)
    """The version of what found the entities."""
    ranker: int | None = Field(default=None, ge=1)
    """The version of the ranking by which older items were chosen; None where none was ranked."""
    encoding: Label
    """The token encoding."""
    policy: Label
    """The assembly policy's name."""
    policy_version: int = 1
    """The policy's version."""
    settings: dict[Label, Any] = Field(default_factory=dict)
    """The policy's numbers where they differ from the defaults."""
    window: Label = MAIN_WINDOW
    """The window it is a view of."""
    agent: Label | None = None
    """The agent it was made for, whose private items it may show."""
    budget: Tokens
    """Tokens that the prompt and the response may have together."""
    reserve: Tokens
    """Of these, what was kept for the response."""
    query: ContentRef | None = None
    """The query by which older items were chosen."""
    implied: str | None = None
    """Without one, the items that imply it, as ranges of versions: the newest instruction and the current task, beside
    the files in focus. None where no item was ranked."""
    tools: ContentRef | None = None
    """The definitions of the tools that are sent with the prompt, in JSON."""
    project: Label | None = None
    """The project whose memories it shows; None for none."""
    project_version: ItemId | None = None
    """The version of the project that they were chosen from."""
    material: ItemId | None = None
    """Of a task's fresh context, the version that holds what it was made of; None for a session's context."""
    sections: tuple[Section, ...]
    """Its sections, in the order in which they were filled."""
    left_out: dict[Label, int] = Field(default_factory=dict)
    """The number of items left out, by reason."""
    tokens: Tokens
    """The prompt's tokens: the sum of its sections'."""
    prompt_sha256: str = Field(min_length=64, max_length=64)
    """SHA-256 of the exact bytes, in hex."""
    prompt_bytes: int = Field(ge=0)
    """Its number of bytes."""
