"""Chat commands: one parser and one table of what they do, for any front end that people type into."""

from backstory.application.chat.answers import CommandResult as CommandResult
from backstory.application.chat.parsing import is_command as is_command
from backstory.application.chat.running import run_command as run_command
