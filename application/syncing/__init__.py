"""Sessions as files: what other tools read without a database."""

from backstory.syncing.tree import Synced as Synced, sync as sync
