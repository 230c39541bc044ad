"""Sessions as files: what other tools read without a database."""

from backstory.application.files.tree import Synced as Synced, sync as sync
