import os
import subprocess
import sys
from pathlib import Path

import pytest

from backstory.domain.summaries.offline import summarize_offline
from backstory.infrastructure.llm.tokens import count_tokens
from tests.summaries.sources import SAMPLE

ROOT = Path(__file__).parents[2]
SCRIPT = """
import sys
from backstory.domain.summaries.offline import summarize_offline
from backstory.infrastructure.llm.tokens import count_tokens
from tests.summaries.sources import SAMPLE
for most in (60, 120, 1000):
    sys.stdout.buffer.write(summarize_offline(SAMPLE, most_tokens=most, count=count_tokens).encode())
"""


@pytest.mark.parametrize("seed", ["1", "4242"])
def test_in_another_process_with_other_hashes(seed: str) -> None:
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT],
        cwd=ROOT,
        env=os.environ | {"PYTHONHASHSEED": seed, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    here = [summarize_offline(SAMPLE, most_tokens=most, count=count_tokens) for most in (60, 120, 1000)]
    assert done.stdout == b"".join(document.encode() for document in here)
