"""Tests of the setting that chooses the kind of executor, and of Ctrl-C while one is used."""

import subprocess
import sys

import pytest

from execution.errors import ClusterFailed, UnknownExecutor
from execution.factory import choose_kind, make_executor


def test_the_kind_is_that_of_the_environment_and_by_default_processes():
    assert [choose_kind({}), choose_kind({"ACCORDANCE_EXECUTOR": ""})] == ["processes", "processes"]
    assert choose_kind({"ACCORDANCE_EXECUTOR": "dask"}) == "dask"


def test_an_unknown_kind_is_refused():
    with pytest.raises(UnknownExecutor, match="ACCORDANCE_EXECUTOR must be one of inline, processes, dask, got 'ray'"):
        choose_kind({"ACCORDANCE_EXECUTOR": "ray"})


def test_without_the_extra_the_error_names_it(monkeypatch):
    monkeypatch.setitem(sys.modules, "distributed", None)
    monkeypatch.setenv("ACCORDANCE_DASK", "tcp://127.0.0.1:1")

    with pytest.raises(ClusterFailed, match="a Dask cluster needs the extra `cluster`"):
        make_executor("dask")


@pytest.mark.parametrize("name", ["ACCORDANCE_DASK_WAIT", "ACCORDANCE_SCORING_PROCESSES"])
def test_settings_that_are_no_numbers_are_refused(monkeypatch, name):
    monkeypatch.setenv(name, "many")

    with pytest.raises(ClusterFailed, match=f"{name}.* must be numbers"):
        make_executor("dask")


def test_the_factory_imports_no_dask():
    program = "import sys, execution.factory, execution.outstanding; print({'dask', 'distributed'} & set(sys.modules))"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)

    assert done.stdout == "set()\n"


@pytest.mark.parametrize(
    "use",
    [
        lambda _: None,
        lambda pool: pool.submit(abs, -1).result(),
        lambda pool: (pool.submit(abs, -1).result(), pool.shutdown()),
    ],
    ids=["before the first call", "after a call", "after it was shut down"],
)
def test_ctrl_c_ends_a_pool_without_another_error(use):
    with pytest.raises(KeyboardInterrupt), make_executor("processes") as pool:  # noqa: PT012 - where it comes matters
        use(pool)
        raise KeyboardInterrupt
