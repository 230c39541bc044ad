"""`backstory anchor` and `anchor-key`: chain hashes in a signed file, and the key that signs them. To check them needs
no database."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from backstory.domain.errors import NotFound, Refused, VerificationFailed
from backstory.interfaces.cli.commands import command, run_of
from backstory.interfaces.cli.manual import Manual
from backstory.interfaces.cli.options import Json
from backstory.interfaces.cli.output.text import Text
from backstory.interfaces.documents.integrity import AnchoredDocument, AnchorKeyDocument
from backstory.interfaces.wording import counted

if TYPE_CHECKING:
    from backstory.application.anchors.files import Anchors

AnchorFiles = Annotated[
    list[Path] | None,
    typer.Option("--anchor", metavar="FILE", help="A file of `backstory anchor`; may be repeated."),
]
PublicKeys = Annotated[
    Path | None,
    typer.Option(
        "--public-keys",
        metavar="FILE",
        help="The public keys to trust; otherwise those beside this host's key.",
    ),
]
Key = Annotated[
    Path | None,
    typer.Option("--key", metavar="FILE", help="The private key; otherwise that of BACKSTORY_ANCHOR_KEY."),
]


def anchors_in(files: Sequence[Path], public_keys: Path | None) -> "Anchors":
    """The anchors in files that were signed with a trusted key."""
    from backstory.application.anchors.files import read_anchors
    from backstory.application.anchors.keys import public_path

    return read_anchors(files, public_keys or public_path(_key_path(None)))


def _key_path(given: Path | None) -> Path:
    from backstory.application.anchors.places import key_path

    return given or key_path()


@command(
    "anchor",
    Manual(
        examples=(
            "backstory anchor",
            "backstory anchor last -o orders-anchor.json",
        ),
        document=AnchoredDocument,
        fails=(NotFound, Refused, VerificationFailed),
        notes=(
            "Run `backstory verify` first: an anchor holds a session to what it is now. Keep the file where the "
            "database's owner cannot change it. `backstory verify --anchor FILE` and `backstory audit --anchor FILE` "
            "compare with it. The job `anchors` writes such files to BACKSTORY_ANCHOR_DIR. The key is made when it is "
            "not there."
        ),
    ),
)
def anchor(
    context: typer.Context,
    sessions: Annotated[
        list[str] | None,
        typer.Argument(metavar="SESSION…", help="The sessions; otherwise all.", show_default=False),
    ] = None,
    output: Annotated[Path, typer.Option("--output", "-o", metavar="FILE", help="The file to write.")] = Path(
        "anchors.json"
    ),
    key: Key = None,
    json: Json = False,
) -> None:
    """Write the chain hashes of sessions to a small signed file."""
    run = run_of(context)
    with run.store() as store:
        ids = [store.find(session) for session in sessions] if sessions else None
        done = store.anchor(output, ids, key=key)
    if json:
        run.document(AnchoredDocument.model_validate(done))
        return
    run.out.print(f"{done.file}: {counted(done.anchors, 'session')}")
    run.out.print(Text(f"signed with {done.public_key}", "quiet"))


@command(
    "anchor-key",
    Manual(
        examples=("backstory anchor-key", "backstory anchor-key --rotate"),
        document=AnchorKeyDocument,
        fails=(Refused,),
        notes=(
            "Connects to no database. The private key is in a file that only its owner can read. The file of public "
            "keys is for those who check anchors: give it to them, and again after `--rotate`. A rotated key is "
            "removed and signs no more; anchors that it signed can still be checked."
        ),
    ),
)
def anchor_key(
    context: typer.Context,
    rotate: Annotated[bool, typer.Option("--rotate", help="Replace the key with a new one.")] = False,
    key: Key = None,
    json: Json = False,
) -> None:
    """Show the key that signs anchors, make it, or replace it."""
    from backstory.application.anchors.keys import AnchorKey, public_path, read_public_keys

    run = run_of(context)
    pair = AnchorKey.load_or_create(_key_path(key))
    if rotate:
        pair = pair.rotate()
    public = public_path(pair.path)
    document = AnchorKeyDocument(
        file=pair.path, public_keys_file=public, public_keys=list(read_public_keys(public))
    )
    if json:
        run.document(document)
        return
    run.out.print(f"private key  {pair.path}")
    run.out.print(f"public keys  {public}")
    for number, one in enumerate(document.public_keys, 1):
        now = "signs now" if number == len(document.public_keys) else "rotated"
        run.out.print(Text(f"  {one}  {now}", "quiet"))
