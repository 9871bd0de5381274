"""Tests of the list of installed plugins: its order, and what makes it be read again."""

import os

import pytest

from metrics_plugins.runtime.installed import list_installed, read_versions
from tests.installed import INSTALLED_PLUGINS


@pytest.fixture
def package(tmp_path, monkeypatch):
    monkeypatch.syspath_prepend(tmp_path)
    metadata = tmp_path / "own-1.5.dist-info"
    metadata.mkdir()
    (metadata / "METADATA").write_text("Metadata-Version: 2.1\nName: own\nVersion: 1.5\n")
    (metadata / "entry_points.txt").write_text("[accordance]\nown = own_plugin\n")
    return metadata


def list_names():
    return [each.point.name for each in list_installed()]


def test_bundled_plugins_come_first(package):
    installed = list_installed()

    assert {each.point.name for each in installed} == {*INSTALLED_PLUGINS, "own"}
    assert [each.is_bundled for each in installed] == [True] * (len(installed) - 1) + [False]
    own = installed[-1]
    assert (own.full_name, own.distribution, own.package.name) == ("own = own_plugin", "own 1.5", "own")


def test_the_list_is_read_again_only_after_a_change(package):
    first = list_installed()
    assert list_installed() is first

    entry_points = package / "entry_points.txt"
    entry_points.write_text("[accordance]\nown = own_plugin\nother = other_plugin\n")
    os.utime(entry_points, ns=(0, 1))
    assert list_names()[-2:] == ["other", "own"]

    entry_points.unlink()
    assert "own" not in list_names()


def test_a_path_that_is_no_folder_is_passed_over(tmp_path, monkeypatch):
    archive = tmp_path / "archive.zip"
    archive.write_bytes(b"")
    for path in (str(archive), str(tmp_path / "absent"), ""):
        monkeypatch.syspath_prepend(path)

    assert set(list_names()) == set(INSTALLED_PLUGINS)


def test_versions_are_read_again_after_a_package_was_changed(package):
    assert read_versions(["own", "no-such-package"]) == {"own": "1.5", "no-such-package": ""}

    package.rename(package.with_name("own-1.6.dist-info")).joinpath("METADATA").write_text(
        "Metadata-Version: 2.1\nName: own\nVersion: 1.6\n"
    )

    assert read_versions(["own"]) == {"own": "1.6"}
