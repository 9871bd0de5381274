"""Tests of the comparison of workers with the process that sends them work."""

import sys

import pytest

from execution.cluster.sameness import describe_process, explain_differences, list_differences, require_same
from execution.errors import ClusterFailed


def test_a_process_is_like_itself():
    require_same(describe_process(), worker="worker-0")


def test_versions_and_sources_are_described():
    found = describe_process()

    assert found["Python"] == ".".join(map(str, sys.version_info[:3]))
    assert {"numpy", "sources of metrics_plugins", "sources of correlation"} <= set(found)
    assert all(len(value) == 12 for name, value in found.items() if name.startswith("sources of "))


def test_a_worker_that_differs_is_named_with_what_differs():
    expected = {**describe_process(), "numpy": "0.1", "a-plugin": "2.0"}

    with pytest.raises(
        ClusterFailed, match=r"worker w-1 at tcp://a:1 differs: a-plugin is not installed, here 2\.0; n"
    ):
        require_same(expected, worker="w-1 at tcp://a:1")


def test_many_differences_are_counted():
    lines = list_differences(dict.fromkeys("abcde", "1"), dict.fromkeys("abcd", "2"))

    assert lines == [
        "a is 2, here 1",
        "b is 2, here 1",
        "c is 2, here 1",
        "d is 2, here 1",
        "e is not installed, here 1",
    ]
    assert explain_differences({"w": lines}) == (
        "worker w differs: a is 2, here 1; b is 2, here 1; c is 2, here 1 and 2 more. "
        "Install the same versions there, or remove the worker"
    )


def test_a_plugin_file_is_compared_by_its_content_and_made_importable(tmp_path, monkeypatch):
    monkeypatch.setattr(sys, "path", [*sys.path])
    path = tmp_path / "own_metric.py"
    path.write_text("SIZE = 1\n")
    expected = describe_process([path])
    require_same(expected, worker="w", files=[path])

    path.write_text("SIZE = 2\n")
    with pytest.raises(ClusterFailed, match=r"plugin file own_metric\.py is \w{12}, here \w{12}"):
        require_same(expected, worker="w", files=[path])
    path.unlink()
    with pytest.raises(ClusterFailed, match=r"plugin file own_metric\.py is not there, here"):
        require_same(expected, worker="w", files=[path])
    assert str(tmp_path) in sys.path
