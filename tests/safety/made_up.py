"""Secrets that were made up. They are put together here, so that no scanner of sources takes them for real ones."""

from itertools import cycle, islice

_CHARACTERS = "q7Zk2Xw9Rb4Vn8Ts3Lm6Yc5Hd0Jf1GpUaEo"


def some(number: int, of: str = _CHARACTERS) -> str:
    """So many characters that look random."""
    return "".join(islice(cycle(of), number))


_HEX = "3f9a07c1e8b2d654"
SECRETS = {
    "aws-access-key": "AK" + "IA" + some(16, "Q7ZK2XWRB4VNTS3L"),
    "github-token": "gh" + "p_" + some(36),
    "gitlab-token": "glp" + "at-" + some(20),
    "slack-token": "xo" + "xb-" + "1234567890-" + some(24),
    "anthropic-key": "sk-" + "ant-api03-" + some(40),
    "openai-key": "sk-" + "proj-" + some(48),
    "stripe-key": "sk_" + "live_" + some(24),
    "google-key": "AI" + "za" + some(35),
    "backstory-key": "bsk_" + some(12, _HEX) + "_" + some(43),
    "npm-token": "npm" + "_" + some(36),
    "pypi-token": "py" + "pi-" + some(80),
    "huggingface-token": "h" + "f_" + some(34),
    "sendgrid-key": "S" + "G." + some(22) + "." + some(43),
    "telegram-token": "1234567890:" + "AA" + some(33),
    "shopify-token": "shp" + "at_" + some(32, _HEX),
    "digitalocean-token": "do" + "p_v1_" + some(64, _HEX),
    "vault-token": "hv" + "s." + some(28),
    "databricks-token": "da" + "pi" + some(32, _HEX),
    "atlassian-token": "ATA" + "TT3" + some(70),
    "grafana-token": "gl" + "sa_" + some(32) + "_" + some(8, _HEX),
    "postman-key": "PM" + "AK-" + some(24, _HEX) + "-" + some(34, _HEX),
    "other-token": "gs" + "k_" + some(52),
    "json-web-token": "ey" + "J" + some(20) + ".ey" + "J" + some(30) + "." + some(43),
    "webhook": "hooks.slack"
    + ".com/services/T"
    + some(8, "0AB1C2")
    + "/B"
    + some(8, "9Z8Y")
    + "/"
    + some(24),
    "azure-key": "Account" + "Key=" + some(86) + "==",
    "private-key": "-----BEGIN RSA PRIV"
    + "ATE KEY-----\n"
    + some(120)
    + "\n-----END RSA PRIV"
    + "ATE KEY-----",
    "password-in-address": "postgres://app:" + "q7Zk2Xw9Rb@db.internal:5432/app",
    "authorization": "Authorization: " + "Bearer " + some(30, "q7zk2xw9rb"),
    "aws-secret-key": "aws_secret_" + "access_key = " + some(40),
    "password": "DB_PASS" + "WORD=" + "q7Zk-2Xw9-Rb4V",
}
"""One of each form."""
TOKEN = SECRETS["github-token"]
RANDOM = "n8Ts3Lm6Yc5Hd0Jf1GpUaEoq7Zk2Xw9RbVi4"
"""A text that no form tells."""
