"""Small values that events, state and commands share: the base model, priorities, tiers, times, names."""

import re
from collections.abc import Iterable
from datetime import UTC, datetime, timedelta
from enum import StrEnum
from math import isfinite
from typing import Annotated, Any, TypeVar

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, ValidationError

from backstory.domain.errors import InvalidInput
from backstory.domain.safety.secrets import SHORTEST_TOKEN, secrets_in

DEFAULT_ENCODING = "o200k_base"
MAIN_WINDOW = "main"
T = TypeVar("T", bound=BaseModel)
Element = TypeVar("Element")
EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
MICROSECOND = timedelta(microseconds=1)
LARGEST = 2**31 - 1
"""Versions and token counts are Postgres integers."""


class Value(BaseModel):
    """A frozen value that refuses fields it does not know."""

    # Built when it is first used: most processes need few of the values there are.
    model_config = ConfigDict(frozen=True, extra="forbid", defer_build=True)


class Role(StrEnum):
    """The author of a message."""

    USER = "user"
    AGENT = "agent"
    SYSTEM = "system"
    TOOL = "tool"


class Tier(StrEnum):
    """The tier of an item, by its score: HOT is used now, COLD is archived."""

    HOT = "HOT"
    WARM = "WARM"
    COLD = "COLD"


class Priority(StrEnum):
    """One scale for P0–P3 and for critical, high, medium and low."""

    CRITICAL = "critical"
    HIGH = "high"
    MEDIUM = "medium"
    LOW = "low"

    @classmethod
    def _missing_(cls, value: object) -> "Priority | None":
        return _PRIORITY_NAMES.get(str(value).strip().lower())

    @property
    def p_name(self) -> str:
        """The same priority as P0 to P3."""
        return f"P{list(Priority).index(self)}"

    @property
    def level(self) -> str:
        """The same priority as high, medium or low, where there is nothing above high."""
        return Priority.HIGH.value if self is Priority.CRITICAL else self.value


_PRIORITY_NAMES = {
    **{f"p{place}": priority for place, priority in enumerate(Priority)},
    **{priority.value: priority for priority in Priority},
    "normal": Priority.MEDIUM,
}


def microseconds(time: datetime) -> int:
    """A time as integer microseconds since 1970, as states and hashes keep it."""
    return (time - EPOCH) // MICROSECOND


def from_microseconds(count: int) -> datetime:
    return EPOCH + timedelta(microseconds=count)


def aware(field: str, time: datetime | None) -> datetime | None:
    """The time in UTC; a naive one is refused, since nobody can say what moment it names."""
    if time is None:
        return None
    if not isinstance(time, datetime):
        raise InvalidInput(field, f"must be a datetime, got {type(time).__name__}")
    if time.tzinfo is None or time.utcoffset() is None:
        raise InvalidInput(
            field, "must have a time zone, such as 2026-11-09T12:00:00Z; without one it names no moment"
        )
    try:
        return time.astimezone(UTC)
    except OverflowError:
        raise InvalidInput(field, "must be a moment between the years 1 and 9999 in UTC") from None


_CONTROL = re.compile(r"[\x00-\x1f\x7f\ud800-\udfff]")


def label(field: str, text: str, longest: int = 200) -> str:
    """A name or identifier that a caller gives: short, printable, not empty, and no secret."""
    require_no_secret(field, _label(field, text, longest))
    return text


def _label(field: str, text: str, longest: int = 200) -> str:
    """A name or identifier that may stand in the log as metadata."""
    if not isinstance(text, str):
        raise InvalidInput(field, f"must be text, got {type(text).__name__}")
    if not text.strip():
        raise InvalidInput(field, "must not be empty")
    if len(text) > longest:
        raise InvalidInput(field, f"must have at most {longest} characters, has {len(text)}")
    if found := _CONTROL.search(text):
        raise InvalidInput(field, f"must be printable, has {found.group()!r} at character {found.start()}")
    return text


def require_no_secret(field: str, text: str) -> None:
    """Refuses a name that holds a secret: names are listed, and never erased."""
    if len(text) >= SHORTEST_TOKEN and (found := secrets_in(text.encode(errors="replace"), by_form=True)):
        raise InvalidInput(
            field, f"must not hold a secret ({found[0].kind}): names are listed, and never erased"
        )


def is_whole_number(value: object) -> bool:
    """Whether the value is an integer. True and False are not."""
    return isinstance(value, int) and not isinstance(value, bool)


def is_number(value: object) -> bool:
    """Whether a value is a finite number."""
    return isinstance(value, int | float) and not isinstance(value, bool) and isfinite(value)


def whole_number(field: str, value: int, *, minimum: int | None = None, maximum: int | None = None) -> int:
    """Returns the value if it is an integer within the bounds."""
    if not is_whole_number(value):
        raise InvalidInput(field, f"must be a whole number, got {value!r}")
    if minimum is not None and value < minimum:
        raise InvalidInput(field, f"must be at least {minimum}, got {value}")
    if maximum is not None and value > maximum:
        # Without the value: Python refuses to print an integer of more than 4,300 digits.
        raise InvalidInput(field, f"must be at most {maximum}")
    return value


def version_number(field: str, value: int) -> int:
    """Returns the value if an event may have it as its version."""
    if not is_whole_number(value) or not 1 <= value <= LARGEST:
        raise InvalidInput(field, f"must be a version, got {value!r}")
    return value


def listed(field: str, values: Iterable[Element]) -> tuple[Element, ...]:
    """The values, each of them. One text is not a list of its letters."""
    if isinstance(values, str | bytes) or not isinstance(values, Iterable):
        raise InvalidInput(field, f"must be a list, got {type(values).__name__}")
    return tuple(values)


def _valid_label(text: str) -> str:
    # Nearly all labels pass this quick test.
    if text.isascii() and text.isprintable() and len(text) <= 200 and text.strip():
        return text
    try:
        return _label("label", text)
    except InvalidInput as error:
        raise ValueError(error.rule) from None


def is_label(text: str) -> bool:
    try:
        return bool(_label("label", text))
    except InvalidInput:
        return False


Label = Annotated[str, AfterValidator(_valid_label)]
ItemId = Annotated[int, Field(ge=1, le=LARGEST)]
Share = Annotated[float, Field(ge=0, le=1, allow_inf_nan=False)]
Tokens = Annotated[int, Field(ge=0, le=LARGEST)]


def build(model: type[T], /, **fields: Any) -> T:
    """The model from these fields, or InvalidInput with the first field that breaks a rule, and the rule."""
    try:
        return model(**fields)
    except ValidationError as error:
        raise refusal(error, model.__name__) from None


def refusal(error: ValidationError, whole: str) -> InvalidInput:
    """The first field that breaks a rule, and the rule. `whole` names the value itself."""
    first = error.errors(include_url=False, include_input=False)[0]
    return InvalidInput(".".join(map(str, first["loc"])) or whole, rule(first["msg"]))


def rule(message: str) -> str:
    """The rule that a message of pydantic tells of."""
    return message.removeprefix("Value error, ")
