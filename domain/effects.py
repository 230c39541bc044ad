"""Effects: the changes that an event makes to the read models, in verbs that know no event type.

| verb    | what it does                                                                                |
|---------|---------------------------------------------------------------------------------------------|
| brings  | adds the item that has the event's own version as its id                                    |
| extends | adds tokens to an item that grew, as a tool exchange does with each result                  |
| revises | replaces an item's tokens, because its text was replaced                                    |
| removes | takes items out of one window, or of all, with what became of them                          |
| returns | puts items back into a window                                                               |
| touches | counts an access to each item                                                               |
| tiers   | assigns items to tiers                                                                      |
| counts  | notes items' tokens in another encoding                                                     |
| window  | sets a window's limit, encoding and model                                                   |
| labels  | sets what the stream is listed by: title, status, tags, project                             |
| judges  | raises items' trust, takes flags off them, puts them into quarantine or takes them out of it |
| marks   | names this version as a checkpoint                                                          |
| resumes | goes on from another version, of this stream (backtrack) or of another (fork)               |

The verbs are stored with the event, so a reader that does not know its type still keeps every read model right.
"""

from typing import Any
from uuid import UUID

from pydantic import Field, field_validator, model_validator

from backstory.domain.trust import TRUST_OF_ORIGIN, Origin, Trust
from backstory.domain.values import MAIN_WINDOW, ItemId, Label, Share, Tier, Tokens, Value, is_label


class NewItem(Value):
    """The item an event brings."""

    type: Label
    """The type of item: message, decision, code, …"""
    tokens: Tokens
    """Its number of tokens."""
    importance: Share
    """Its importance before time and accesses change it."""
    tier: Tier
    """The tier that follows from that."""
    encoding: Label | None = None
    """The token encoding, where it is not the default one."""
    recounts: dict[Label, Tokens] = Field(default_factory=dict)
    """Tokens in the encodings of windows that count otherwise."""
    windows: tuple[Label, ...] = (MAIN_WINDOW,)
    """The windows it is live in."""
    agent: Label | None = None
    """The agent whose item it is."""
    private: bool = False
    """Whether it is for that agent only."""
    task: Label | None = None
    """The caller's id of the task it belongs to."""
    references: tuple[ItemId, ...] = ()
    """The items it refers to."""
    made_from: tuple[UUID, ...] = ()
    """The streams whose items it was made from."""
    origin: Origin = "model"
    """The place it comes from."""
    trust: Trust | None = None
    """Its trust, where it was made from less trusted items than its origin says."""
    quarantined: bool = False
    """Whether it arrives in quarantine."""
    flags: tuple[Label, ...] = ()
    """The suspicions that its text raised when it was written: a secret, instructions."""

    @field_validator("windows")
    @classmethod
    def _each_window_once(cls, windows: tuple[str, ...]) -> tuple[str, ...]:
        if len(set(windows)) != len(windows):
            raise ValueError("must name each window once")
        return windows

    @model_validator(mode="after")
    def _no_more_than_its_origin(self) -> "NewItem":
        if self.trust is not None and self.trust > TRUST_OF_ORIGIN[self.origin]:
            raise ValueError(f"must not have more trust than its origin, {self.origin}")
        if self.quarantined and self.windows:
            raise ValueError("must be in no window while it is in quarantine")
        return self

    @property
    def own_trust(self) -> Trust:
        """Its trust when it is brought."""
        return TRUST_OF_ORIGIN[self.origin] if self.trust is None else self.trust


class Extension(Value):
    """An item grew."""

    item: ItemId
    """The item."""
    tokens: Tokens
    """The tokens added."""
    origin: Origin = "external_tool"
    """The place that the added part comes from. The item is trusted no further than that."""
    flags: tuple[Label, ...] = ()
    """The suspicions that the added text raised."""


class Revision(Value):
    """An item's text was replaced."""

    item: ItemId
    """The item."""
    tokens: Tokens
    """Its number of tokens now."""
    encoding: Label | None = None
    """The token encoding, where it is not the default one."""
    origin: Origin | None = None
    """The place that the new text comes from; None for the same as before. The item is trusted no further than that."""
    flags: tuple[Label, ...] = ()
    """The suspicions that the new text raised. Those of the text before are gone."""


class Removal(Value):
    """Items leave."""

    items: tuple[ItemId, ...]
    """The items; those that are not there are passed over."""
    disposition: Label
    """Their disposition: removed, completed, answered, deprecated, summarized, …"""
    window: Label | None = None
    """The window they leave; None for all of them."""


class Return(Value):
    """Items come back."""

    items: tuple[ItemId, ...]
    """The items."""
    rows: tuple[tuple[Any, ...], ...]
    """The items' metadata, since a state does not remember what has left it."""
    window: Label | None
    """The window they come back to; None for none: a fork only gets to know them."""
    brought_in: UUID | None = None
    """The session they were brought in, for items that left before a fork began."""

    @model_validator(mode="after")
    def _a_row_for_each_item(self) -> "Return":
        if self.items != tuple(row[0] for row in self.rows if row):
            raise ValueError("must have one row for each item, in the same order")
        return self


class Recount(Value):
    """Items' tokens in one more encoding."""

    encoding: Label
    """The encoding."""
    tokens: dict[ItemId, Tokens]
    """The tokens of each item in this encoding."""


class WindowSettings(Value):
    """A window as it is from here on."""

    name: Label
    """The window's name; a new one makes a new window."""
    limit: int | None = Field(default=None, ge=1, le=2**31 - 1)
    """Tokens it may hold; None for no limit."""
    encoding: Label | None = None
    """The token encoding; None for the default, o200k_base."""
    model: Label | None = None
    """The model it is the view of."""


class Judgement(Value):
    """Items are trusted further, lose flags, or are quarantined or released."""

    items: tuple[ItemId, ...]
    """The items."""
    trust: Trust | None = None
    """Their trust from here on; None to leave it."""
    quarantined: bool | None = None
    """Whether they are in quarantine from here on; None to leave it."""
    cleared: tuple[Label, ...] = ()
    """Flags that they no longer have."""


class Resume(Value):
    """The version from which the history continues."""

    stream: UUID
    """The session that holds the version."""
    version: int = Field(ge=1)
    """The version."""


class Mark(Value):
    """A checkpoint."""

    name: Label
    """Its name."""


def _is_plain(value: Any) -> bool:
    """Text, a whole number, yes or no, or several texts: what every JSON reader gives back as it was."""
    return _is_text(value) or _are_texts(value) or (isinstance(value, int) and abs(value) < 2**53)


def _is_text(value: Any) -> bool:
    return isinstance(value, str) and is_label(value)


def _are_texts(value: Any) -> bool:
    return isinstance(value, list | tuple) and all(map(_is_text, value))


def _is_part(value: Any) -> bool:
    """The place of a text among the event's contents."""
    part = value.get("part") if isinstance(value, dict) and len(value) == 1 else None
    return type(part) is int and 0 <= part <= 32767


_LABELS = {"title": _is_part, "status": _is_text, "project": _is_text, "tags": _are_texts}


class Effects(Value):
    """All that one event does. Most events use one verb or none."""

    brings: NewItem | None = None
    extends: Extension | None = None
    revises: Revision | None = None
    removes: tuple[Removal, ...] = ()
    returns: tuple[Return, ...] = ()
    touches: tuple[ItemId, ...] = ()
    tiers: dict[Tier, tuple[ItemId, ...]] = Field(default_factory=dict)
    counts: Recount | None = None
    window: WindowSettings | None = None
    judges: Judgement | None = None
    labels: dict[Label, Any] = Field(default_factory=dict)
    marks: Mark | None = None
    resumes: Resume | None = None

    @field_validator("touches")
    @classmethod
    def _each_item_once(cls, touches: tuple[int, ...]) -> tuple[int, ...]:
        if len(set(touches)) != len(touches):
            raise ValueError("must name each item once")
        return touches

    @field_validator("tiers")
    @classmethod
    def _one_tier_each(cls, tiers: dict[Tier, tuple[int, ...]]) -> dict[Tier, tuple[int, ...]]:
        assigned = [item for items in tiers.values() for item in items]
        if len(set(assigned)) != len(assigned):
            raise ValueError("must assign each item to one tier")
        return tiers

    @field_validator("labels")
    @classmethod
    def _known_labels(cls, labels: dict[str, Any]) -> dict[str, Any]:
        for name, value in labels.items():
            if value is not None and not _LABELS.get(name, _is_plain)(value):
                raise ValueError(f"has a {name!r} that cannot be listed")
        return labels

    def encode(self) -> str | None:
        """The JSON that is stored and chained; None when nothing is declared."""
        text = self.model_dump_json(exclude_defaults=True)
        return None if text == "{}" else text

    @classmethod
    def decode(cls, text: str | None) -> "Effects":
        """The effects of a stored event. A verb that a newer version added is passed over, as the SQL does."""
        if text is None:
            return NO_EFFECTS
        return cls.model_validate_json(text, extra="ignore")


NO_EFFECTS = Effects()
