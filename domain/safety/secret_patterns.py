"""The forms of secrets: well-known tokens, private keys, passwords in addresses and in assignments.

Each form has words, and its expression begins with one of them. A text is searched for the words, which is many times
faster than for expressions. All of it works on UTF-8 bytes.
"""

import re
from typing import Any, Literal, NamedTuple, cast

from backstory.domain.text.pattern import pattern

Where = Literal["runs", "text", "folded"]
"""Where the words are looked for: in the long runs of a token's characters, in the text, in the text in small
letters."""


class Form(NamedTuple):
    """One form of a secret. The secret is what the last group of the expression matched, or else the whole match."""

    kind: str
    words: tuple[bytes, ...]
    expression: re.Pattern[bytes]
    where: Where = "runs"


def _form(kind: str, words: str, expression: str, where: Where = "runs", *, fold: bool = False) -> Form:
    compiled = pattern(cast("Any", expression.encode()), re.IGNORECASE if fold else 0)
    return Form(kind, tuple(word.encode() for word in words.split("|")), cast("Any", compiled), where)


def _token(kind: str, words: str, expression: str) -> Form:
    """A token that its first characters tell, with nothing before or after it that belongs to a name."""
    # In JSON, the line break before it ends in a letter.
    return _form(kind, words, rf"(?:(?<![A-Za-z0-9_])|(?<=\\[nrt]))(?:{expression})(?![A-Za-z0-9_])")


# In JSON the line breaks of a key are written as \n.
_PRIVATE_KEY = (
    r"-----BEGIN (?:[A-Z0-9]{1,12} ){0,3}PRIVATE KEY(?: BLOCK)?-----"
    r"(?:[A-Za-z0-9+/=\s:,.\\-]{0,20000}?-----END (?:[A-Z0-9]{1,12} ){0,3}PRIVATE KEY(?: BLOCK)?-----"
    r"|(?:[A-Za-z0-9+/=\s]|\\[nr]){40,20000})"
)
_OTHERS = (
    r"gsk_[A-Za-z0-9]{48,}|xai-[A-Za-z0-9]{70,}|lin_api_[A-Za-z0-9]{40}|sbp_[a-f0-9]{40}"
    r"|pscale_(?:tkn|pw|oauth)_[A-Za-z0-9_.-]{32,}|dckr_pat_[A-Za-z0-9_-]{27}|figd_[A-Za-z0-9_-]{38,}"
    r"|sntrys_[A-Za-z0-9+/=_]{60,}|AGE-SECRET-KEY-1[0-9A-Z]{58}"
)

FORMS: tuple[Form, ...] = (
    _form("private-key", "-----BEGIN ", _PRIVATE_KEY, "text"),
    _token("aws-access-key", "AKIA|ASIA", r"A[KS]IA[A-Z2-7]{16}"),
    _form(
        "aws-secret-key",
        "aws",
        r"aws.{0,30}?(?:secret|key).{0,20}?[:=].{0,5}?(?<![A-Za-z0-9/+\\])([A-Za-z0-9/+]{40})(?![A-Za-z0-9/+=])",
        "folded",
        fold=True,
    ),
    _token(
        "github-token",
        "ghp_|gho_|ghu_|ghs_|ghr_|github_pat_",
        r"gh[opusr]_[A-Za-z0-9]{36,255}|github_pat_[A-Za-z0-9_]{60,255}",
    ),
    _token("gitlab-token", "glpat-|gldt-|glrt-|glptt-", r"gl(?:pat|dt|rt|ptt)-[A-Za-z0-9_.-]{20,}"),
    _token(
        "slack-token",
        "xox|xapp-",
        r"xox[abeprs](?:\.xox[bp])?-(?=[A-Za-z-]*\d)[A-Za-z0-9-]{15,}|xapp-\d-[A-Za-z0-9-]{20,}",
    ),
    _form(
        "webhook",
        "hooks.slack.com/|discord.com/api/webhooks|discordapp.com/api/webhooks",
        r"(?:hooks\.slack\.com/(?:services|workflows)|discord(?:app)?\.com/api/webhooks)"
        r"/([A-Z0-9]+/(?:[A-Z0-9]+/)?[A-Za-z0-9_-]{16,})",
    ),
    _token("anthropic-key", "sk-ant-", r"sk-ant-[a-z0-9]{3,8}-[A-Za-z0-9_-]{24,}"),
    _token(
        "openai-key",
        "sk-",
        r"sk-(?!ant-)(?=[A-Za-z_-]*\d)"
        r"(?:(?:proj|svcacct|admin|or-v1|None)-[A-Za-z0-9_-]{24,}|[A-Za-z0-9]{32,})",
    ),
    _token(
        "stripe-key",
        "sk_live_|rk_live_|sk_test_|rk_test_|whsec_",
        r"[rs]k_(?:live|test)_[A-Za-z0-9]{16,}|whsec_[A-Za-z0-9+/=]{32,}",
    ),
    _token(
        "google-key",
        "AIza|ya29.|GOCSPX-",
        r"AIza[A-Za-z0-9_-]{35}|ya29\.[A-Za-z0-9_-]{24,}|GOCSPX-[A-Za-z0-9_-]{28}",
    ),
    _form(
        "azure-key",
        "AccountKey=|SharedAccessKey=",
        r"(?:AccountKey|SharedAccessKey)=([A-Za-z0-9+/]{40,88}={0,2})",
    ),
    _token("backstory-key", "bsk_", r"bsk_[0-9a-f]{12}_[A-Za-z0-9_-]{43}"),
    _token("npm-token", "npm_", r"npm_[A-Za-z0-9]{36}"),
    _token("pypi-token", "pypi-", r"pypi-[A-Za-z0-9_-]{70,}"),
    _token("huggingface-token", "hf_", r"hf_[A-Za-z0-9]{34,}"),
    _token("sendgrid-key", "SG.", r"SG\.[A-Za-z0-9_-]{22}\.[A-Za-z0-9_-]{43}"),
    _form("telegram-token", ":AA", r"(?<=\d{8}):(AA[A-Za-z0-9_-]{33})(?![A-Za-z0-9_-])"),
    _token("shopify-token", "shpat_|shpca_|shppa_|shpss_", r"shp(?:at|ca|pa|ss)_[A-Fa-f0-9]{32}"),
    _token("digitalocean-token", "dop_v1_|doo_v1_|dor_v1_", r"do[opr]_v1_[a-f0-9]{64}"),
    _token("vault-token", "hvs.|hvb.", r"hv[sb]\.[A-Za-z0-9_-]{24,}"),
    _token("databricks-token", "dapi", r"dapi[a-f0-9]{32}(?:-\d)?"),
    _token("atlassian-token", "ATATT3", r"ATATT3[A-Za-z0-9_=-]{60,}"),
    _token("grafana-token", "glsa_|glc_", r"glsa_[A-Za-z0-9]{32}_[a-f0-9]{8}|glc_[A-Za-z0-9+/=]{40,}"),
    _token("postman-key", "PMAK-", r"PMAK-[a-f0-9]{24}-[a-f0-9]{34}"),
    _token("other-token", "gsk_|xai-|lin_api_|sbp_|pscale_|dckr_pat_|figd_|sntrys_|AGE-SECRET", _OTHERS),
    _token("json-web-token", "eyJ", r"eyJ[A-Za-z0-9_-]{12,}\.eyJ[A-Za-z0-9_-]{12,}\.[A-Za-z0-9_-]{16,}"),
    _form(
        "authorization",
        "authorization",
        r"authorization\\?[\"']?\s{0,3}[:=,]\s{0,3}\\?[\"']?\s{0,3}(?:bearer|basic|token)"
        r"\s{1,3}([A-Za-z0-9_.~+/=-]{20,2000})",
        "folded",
        fold=True,
    ),
)
"""Secrets that their form alone tells."""

ADDRESS = _form(
    "password-in-address",
    "://",
    r"(?<=[A-Za-z0-9])://[^\s:/?#@\"'`<>\\]{0,80}:([^\s:/?#@\"'`<>\\]{3,200})@(?=[A-Za-z0-9\[_.-])",
    "text",
)

_NAMES = "passw|pwd|secret|token|api_key|apikey|api-key|access_key|access-key|private_key|credential"
ASSIGNED = _form(
    "password",
    _NAMES,
    # A name that ends in one of the words, then a literal. In JSON within JSON the quotes are written as \".
    r"(?:passw(?:or)?d|pwd|secret(?:[_-]?key)?|token|api[_-]?key|access[_-]?key|private[_-]?key|credentials?)"
    r"(?:\\?[\"']\]?)?"
    r"(?:\s{0,4}(?::=|=>|[:=])\s{0,4}\\?[\"']([^\s\"'`\\]{8,200})\\?[\"']"
    r"|=([^\s\"'`\\,;&|)(\[\]{}<>$%*]{8,200})(?=[\s\"'`\\,;&|]|$))",
    "folded",
    fold=True,
)
"""A value that is assigned to a name which says that it is secret. Whether it looks like one is another question."""

PLACEHOLDER: re.Pattern[bytes] = cast(
    "Any",
    pattern(
        cast(
            "Any",
            rb"[<$%{*]|\.{3}|\xe2\x80\xa6|x{4,}|^(.)\1*$|example|sample|dummy|placeholder|change[_-]?me|replace"
            rb"|redacted|your|insert|fake|mock|test|demo|todo|secret|passw|token|api_?key|12345|abcdef|deadbeef",
        ),
        re.IGNORECASE,
    ),
)
"""A value that stands for a secret in examples and templates."""

NO_SECRET: re.Pattern[bytes] = cast(
    "Any",
    pattern(
        cast(
            "Any",
            rb"(?:gen|msg|toolu|req|call|chatcmpl|cmpl|resp|run|fc|rs|item|thread|asst|file|batch|ssh|sha\d+|h1|srvtoolu)[-_]",
        )
    ),
)
"""The beginning of a random text that is an id, a checksum or a public key."""
