"""An upload whose line is cut in the middle of a part goes on from what has arrived; on a real server."""

import hashlib
from random import Random

import pytest

from benchmarks.challenges.upload import make_program
from tests.security.serving import serve_site
from tests.studies.management.test_supervising import wait_for

pytestmark = pytest.mark.slow

N_BYTES, CUT = 24 << 20, 9_500_123


def test_an_upload_goes_on_after_a_cut(tmp_path):
    content = Random(0).randbytes(N_BYTES)
    whole = memoryview(content)
    with serve_site(tmp_path) as site:
        program = make_program(site)
        path = program.begin(N_BYTES)

        program.send(path, whole, offset=0, cut_after=CUT)
        # All that was sent before the cut arrives and is kept.
        assert wait_for(lambda: program.count_arrived(path) == CUT)
        # What does not begin there is refused, and changes nothing.
        assert program.send(path, whole[:100], offset=0) == 409
        assert program.count_arrived(path) == CUT
        assert program.send(path, whole[CUT:], offset=CUT) == 200

        assert program.finish(path) == hashlib.sha256(content).hexdigest()
