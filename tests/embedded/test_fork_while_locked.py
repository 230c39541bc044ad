import os

import pytest

from backstory.infrastructure.embedded.locks import alone, claim


@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
@pytest.mark.parametrize("lock", [claim, lambda folder: alone(folder, deadline=0)], ids=["claim", "alone"])
def test_a_process_forked_meanwhile_does_not_go_on_holding_the_lock(tmp_path, lock):
    from_child, to_parent = os.pipe()
    from_parent, to_child = os.pipe()
    with lock(tmp_path):
        child = os.fork()
        if child == 0:
            os.close(to_child)
            os.write(to_parent, b"forked")
            os.read(from_parent, 1)  # until the parent closes its end
            os._exit(0)
        os.read(from_child, 6)
    try:
        with lock(tmp_path) as held:
            assert lock is not claim or held is not None
    finally:
        os.close(to_child)
        os.waitpid(child, 0)
        for descriptor in (from_child, to_parent, from_parent):
            os.close(descriptor)
