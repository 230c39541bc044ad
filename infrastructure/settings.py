"""Settings from the environment, one prefix for all: BACKSTORY_."""

from pathlib import Path
from typing import Literal

from pydantic import Field, SecretStr
from pydantic_settings import BaseSettings, SettingsConfigDict


class Settings(BaseSettings):
    """The settings. `backstory db status` shows it, without the password."""

    model_config = SettingsConfigDict(env_prefix="BACKSTORY_")

    database_url: SecretStr | None = None
    """Any Postgres from 14 on. Without it the embedded one is used."""
    read_url: SecretStr | None = None
    """A standby of that Postgres, for calls that only read. What this process wrote is seen there, or read from the
    primary."""
    data_dir: Path | None = None
    """Where the embedded Postgres keeps its data."""
    pool_size: int = Field(default=16, ge=1, le=1000)
    """How many connections one store opens at most."""
    patience: float = Field(default=30.0, gt=0, le=86_400, allow_inf_nan=False)
    """Seconds to wait for a connection, and to go on trying after one was lost."""
    summarizer_url: SecretStr | None = None
    """An OpenAI-compatible endpoint that sums sessions up. Without it that is done offline."""
    summarizer_model: str | None = None
    """The model to ask there."""
    summarizer_api_key: SecretStr | None = None
    """Sent as a bearer token, and nowhere else."""
    summarizer_timeout: float = Field(default=30.0, gt=0, le=3600, allow_inf_nan=False)
    """Seconds to wait for one answer."""
    embeddings: SecretStr | None = None
    """A model that makes vectors of texts, so that searches go by meaning too: a folder with one in ONNX format, or an
    OpenAI-compatible endpoint with the model's name after a `#`. Without it searches go by words alone."""
    embeddings_api_key: SecretStr | None = None
    """Sent to that endpoint as a bearer token, and nowhere else."""
    projections: str = ""
    """Projections of your own that commands and workers keep beside Backstory's: as `module:name`, with commas between.
    Modules are also looked for in the folder that the command runs in."""
    actions: str = ""
    """Actions of triggers of your own: as `module:name`, with commas between. Modules are also looked for in the folder
    that the command runs in."""
    secrets: Literal["flag", "mask"] | None = None
    """What is done with secrets in texts that are written: `flag` them, or `mask` them before they are stored. Without
    it imports mask them and everything else flags them. A project may choose otherwise."""
    instructions: Literal["flag", "quarantine"] = "flag"
    """What is done with a text of an untrusted origin that reads like instructions. A project may choose otherwise."""
    sync_dir: str = ""
    """The folder that sessions are written to as they change, by workers and at the end of a session. Without it they
    are not."""
    sync_by: str = ""
    """The name under which edits of memory files in that folder are recorded. Without it, that of the file's owner."""
    allowed_roots: str = ""
    """The folders below which a service and a worker may read and write files of projects, with commas between. Without
    it they read and write none. Python calls and commands are the user's own, and not limited by it."""
    metrics_port: int | None = Field(default=None, ge=0, le=65_535)
    """Where a worker serves Prometheus metrics, on this machine alone. Without it that is not done."""
    log_format: Literal["text", "json"] = "text"
    """How commands log to stderr: lines for people, or one JSON object a line."""
    log_level: Literal["debug", "info", "warning", "error"] | None = None
    """From which level on. Without this and a format nothing is logged; with a format alone, info. `debug` logs the
    traceback of an unexpected error."""
    anchor_key: Path | None = None
    """The file of the private key that signs anchors. Without it `~/.config/backstory/anchor-key.pem`."""
    anchor_dir: Path | None = None
    """Where workers write anchors. Without it they write none."""
    traces: bool = False
    """OpenTelemetry spans, also where no variable of OpenTelemetry's own asks for them."""
    page_dir: Path | None = None
    """The folder of the built page. Without it the one that belongs to this installation."""
    cookie_secret: SecretStr | None = None
    """What the page's logins are signed with. Without it a new one is made at every start, which ends all logins."""
    rate_limit: float = Field(default=200.0, ge=0, le=1_000_000, allow_inf_nan=False)
    """Requests a second that one key may make for long, and five times as many at once; 0 for any number."""
    cors_origins: str = ""
    """Origins of other pages that may call the service from a browser, with commas between. Without it none may."""
