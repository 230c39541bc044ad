"""What is appended: messages of 540 characters, no two alike."""

import random

_WORDS = ("token", "session", "expiry", "refresh", "header", "claim", "signature", "rotate", "issuer", "audience",
          "cookie", "redirect", "retry", "backoff", "migration", "index", "replica", "lock", "timeout", "snapshot",
          "ledger", "append", "cursor", "batch", "stream", "offset", "commit")  # fmt: skip
LENGTH = 540


def message(seed: int) -> str:
    words = random.Random(seed)
    text = f"{seed} " + " ".join(words.choices(_WORDS, k=90))
    return text[:LENGTH].ljust(LENGTH, ".")


MESSAGES = [message(seed) for seed in range(2000)]
