"""Chat commands: one parser and one table of what they do, for any front end that people type into."""

from backstory.application.chat.answers import CommandResult as CommandResult
from backstory.application.chat.dispatch import run_command as run_command
from backstory.application.chat.syntax import is_command as is_command
