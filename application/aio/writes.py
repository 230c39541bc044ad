"""The groups of writes that sessions and transactions share, for asyncio."""

from backstory.application.aio.calls import Offloading, awaited
from backstory.application.writing.checkpoints import CheckpointWriter
from backstory.application.writing.decisions import DecisionWriter
from backstory.application.writing.details import DetailWriter
from backstory.application.writing.items import ItemWriter
from backstory.application.writing.progress import ProgressWriter
from backstory.application.writing.window import WindowWriter
from backstory.application.writing.work import WorkWriter


class AsyncItemWriter(Offloading[ItemWriter]):
    """See ItemWriter."""

    save = awaited(ItemWriter.save)
    touch = awaited(ItemWriter.touch)
    remove = awaited(ItemWriter.remove)
    pin = awaited(ItemWriter.pin)
    unpin = awaited(ItemWriter.unpin)
    deprecate = awaited(ItemWriter.deprecate)


class AsyncDecisionWriter(Offloading[DecisionWriter]):
    """See DecisionWriter."""

    confirm = awaited(DecisionWriter.confirm)
    dismiss = awaited(DecisionWriter.dismiss)


class AsyncWorkWriter(Offloading[WorkWriter]):
    """See WorkWriter."""

    set_goal = awaited(WorkWriter.set_goal)
    update_goal = awaited(WorkWriter.update_goal)
    complete_goal = awaited(WorkWriter.complete_goal)
    add_action = awaited(WorkWriter.add_action)
    block_action = awaited(WorkWriter.block_action)
    complete_action = awaited(WorkWriter.complete_action)
    ask = awaited(WorkWriter.ask)
    answer = awaited(WorkWriter.answer)
    add_constraint = awaited(WorkWriter.add_constraint)
    remove_constraint = awaited(WorkWriter.remove_constraint)
    start_task = awaited(WorkWriter.start_task)
    complete_task = awaited(WorkWriter.complete_task)
    fail_task = awaited(WorkWriter.fail_task)


class AsyncProgressWriter(Offloading[ProgressWriter]):
    """See ProgressWriter."""

    set_phase = awaited(ProgressWriter.set_phase)
    set_layer = awaited(ProgressWriter.set_layer)
    set_clarity = awaited(ProgressWriter.set_clarity)
    focus = awaited(ProgressWriter.focus)
    error = awaited(ProgressWriter.error)
    resolve_error = awaited(ProgressWriter.resolve_error)
    command_executed = awaited(ProgressWriter.command_executed)
    file_updated = awaited(ProgressWriter.file_updated)
    commit_made = awaited(ProgressWriter.commit_made)


class AsyncDetailWriter(Offloading[DetailWriter]):
    """See DetailWriter."""

    rename = awaited(DetailWriter.rename)
    tag = awaited(DetailWriter.tag)
    set_project = awaited(DetailWriter.set_project)
    join = awaited(DetailWriter.join)


class AsyncWindowWriter(Offloading[WindowWriter]):
    """See WindowWriter."""

    choose_policy = awaited(WindowWriter.choose_policy)
    compacted = awaited(WindowWriter.compacted)
    clear = awaited(WindowWriter.clear)


class AsyncCheckpointWriter(Offloading[CheckpointWriter]):
    """See CheckpointWriter."""

    create = awaited(CheckpointWriter.create)
