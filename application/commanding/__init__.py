"""Chat commands: one parser and one table of what they do, for any front end that people type into."""

from backstory.commanding.answers import CommandResult as CommandResult
from backstory.commanding.parsing import is_command as is_command
from backstory.commanding.running import run_command as run_command
