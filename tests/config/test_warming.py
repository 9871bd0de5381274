"""Tests that a started server has imported its pages, so that no request need wait for imports or their collection."""

from tests.config.test_deployment import _run

_ASKED = """
import gc
import sys
from importlib import import_module
import_module("config.{door}")
from studies.analysis.fingerprint import stamp_program
from studies.scoring.plugins.catalog import load_bundled
is_loaded = "studies.views.analysis.explorer" in sys.modules
print(gc.isenabled(), gc.get_freeze_count() > 100_000)
print(is_loaded, stamp_program.cache_info().currsize, load_bundled.cache_info().currsize)
"""


def _ask(tmp_path, door):
    code, said = _run(tmp_path, "-c", _ASKED.format(door=door), SECRET_KEY="x" * 60, DEBUG="on")
    return code, *said.strip().splitlines()[-2:]


def test_wsgi_imports_all_pages_at_start_up(tmp_path):
    assert _ask(tmp_path, "wsgi") == (0, "True True", "True 1 1")


def test_unreadable_secret_is_an_error_at_start_up(tmp_path):
    (tmp_path / "identity_key").touch()

    code, said = _run(tmp_path, "-c", "import config.wsgi", SECRET_KEY="x" * 60, DEBUG="on")

    assert code == 1
    assert f"{tmp_path / 'identity_key'} must hold a secret, got an empty file" in said


def test_asgi_imports_all_pages_at_start_up(tmp_path):
    assert _ask(tmp_path, "asgi") == (0, "True True", "True 1 1")
