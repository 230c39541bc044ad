"""Files that hold secrets, as their names say."""

import re
from pathlib import PurePosixPath

_NAMES = re.compile(
    r"^(\.env(\..*)?|\.envrc|.*\.(pem|key|p12|pfx|jks|keystore|kdbx|asc|gpg)|id_(rsa|dsa|ecdsa|ed25519).*"
    r"|\.(npmrc|pypirc|netrc|htpasswd|pgpass|git-credentials).*|credentials(\.\w+)?|secrets?\.(ya?ml|json|toml|ini))$",
    re.IGNORECASE,
)
_EXAMPLES = re.compile(r"\.(example|sample|template|dist)$", re.IGNORECASE)


def is_secret_file(path: str) -> bool:
    """Whether a file holds secrets, as far as its name tells. An example of one, such as `.env.example`, does not."""
    name = PurePosixPath(path).name
    return bool(_NAMES.match(name)) and not _EXAMPLES.search(name)
