import pytest

from tests.chaos import patroni
from tests.chaos.failovers import fail_over
from tests.chaos.form import WHOLE

pytestmark = [pytest.mark.chaos, pytest.mark.timeout(3600)]


@pytest.mark.skipif(not WHOLE, reason="is run by make chaos")
@pytest.mark.skipif(bool(patroni.missing()), reason=f"needs Debian's {', '.join(patroni.missing())}")
def test_a_patroni_cluster_loses_its_primary(report, capsys):
    with capsys.disabled():
        print()
        for row in fail_over(kills=10, others=5, say=lambda line: print(line, flush=True)):
            report(row)
