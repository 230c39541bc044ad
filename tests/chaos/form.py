"""How much of the chaos is made: all of it by `make chaos`, a short form among the other tests."""

import os
from typing import TypeVar

T = TypeVar("T")

WHOLE = os.environ.get("BACKSTORY_CHAOS") == "whole"


def form(short: T, whole: T) -> T:
    return whole if WHOLE else short
