"""The folders whose files callers of a service may have read."""

import os
from pathlib import Path

from backstory.application.bootstrap import read_settings
from backstory.domain.errors import AccessDenied


def allowed_folder(path: str, field: str = "path") -> str:
    """A folder without links, if it is one that the operator has listed in BACKSTORY_CODE_ROOTS, or below one. Raises
    AccessDenied otherwise, whether it exists or not."""
    if "\0" not in path and os.path.isabs(path):
        resolved = Path(os.path.realpath(path))
        for root in read_settings().code_roots.split(","):
            if root.strip() and resolved.is_relative_to(os.path.realpath(root.strip())):
                return str(resolved)
    raise AccessDenied(
        f"{field}: must be below a folder that the setting BACKSTORY_CODE_ROOTS of the service lists."
    )
