import subprocess
import sys

import pytest

from metrics_plugins.api.errors import PluginError
from metrics_plugins.runtime import load_registry
from metrics_plugins.runtime.plugin_files import import_plugin_file, list_plugin_files
from tests.metrics_plugins.runtime.sandbox.test_listing import BROKEN, WORKING


@pytest.fixture(autouse=True)
def _forget_modules(monkeypatch):
    before = set(sys.modules)
    monkeypatch.setattr(sys, "path", list(sys.path))
    yield
    for name in set(sys.modules) - before:
        if name.startswith("in_folder_"):
            del sys.modules[name]


def test_plugins_are_listed_by_name_without_helpers(tmp_path):
    for name in ("b.py", "a.py", "_helper.py", ".hidden.py", "notes.txt"):
        (tmp_path / name).write_text("")

    assert [path.name for path in list_plugin_files(tmp_path)] == ["a.py", "b.py"]
    assert list_plugin_files(tmp_path / "nowhere") == ()


def test_registry_takes_files_in_and_refuses_broken_ones(tmp_path):
    (tmp_path / "in_folder_letters.py").write_text(WORKING)
    (tmp_path / "in_folder_broken.py").write_text(BROKEN)

    registry = load_registry(folder=tmp_path, outside=False)

    found = registry.get("letters")
    assert (found.plugin, found.distribution, found.module) == ("in_folder_letters.py", "", "in_folder_letters")
    assert [str(each) for each in registry.refused] == [
        "plugin 'in_folder_broken.py' is refused: in_folder_broken.py fails to import: ZeroDivisionError: at import\n"
        '  at in_folder_broken.py, line 1: raise ZeroDivisionError("at import")'
    ]
    with pytest.raises(PluginError, match=r"^plugin 'in_folder_broken.py' is refused: "):
        load_registry(folder=tmp_path, outside=False, strict=True)


def test_blocked_file_is_not_loaded(tmp_path):
    (tmp_path / "in_folder_blocked.py").write_text(WORKING)

    registry = load_registry(folder=tmp_path, blocked=["in_folder_blocked.py"])

    assert "letters" not in registry.metrics


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("json.py", r"json\.py has the name of another module \(.*json/__init__\.py\): rename it"),
        ("my-metric.py", r"my-metric\.py must be named like a Python module"),
    ],
)
def test_file_with_a_name_that_is_no_use_is_refused(tmp_path, name, told):
    (tmp_path / name).write_text(WORKING)

    with pytest.raises(PluginError, match=told):
        import_plugin_file(tmp_path / name)


def test_copy_of_an_installed_plugin_says_what_to_uninstall(tmp_path, monkeypatch, installed_plugins):
    monkeypatch.syspath_prepend(installed_plugins)
    (tmp_path / "accordance_example_metrics.py").write_text(WORKING)

    message = (
        r"^accordance_example_metrics\.py has the name of another module \(.*site/accordance_example_metrics/"
        r"__init__\.py\): it belongs to the installed plugin 'accordance-example-metrics'; to try this file instead, "
        r"uninstall that \(`python\S* -m pip uninstall accordance-example-metrics`\), or rename this file and its "
        r"metrics$"
    )
    with pytest.raises(PluginError, match=message):
        import_plugin_file(tmp_path / "accordance_example_metrics.py")


def test_two_equal_files_are_said_to_be_equal(tmp_path, monkeypatch):
    for name in ("first", "second"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "in_folder_twice.py").write_text(WORKING)
    import_plugin_file(tmp_path / "first" / "in_folder_twice.py")

    with pytest.raises(
        PluginError, match=r"first/in_folder_twice\.py\): the two files are equal, so that this one is n"
    ):
        import_plugin_file(tmp_path / "second" / "in_folder_twice.py")


def test_plugin_files_cannot_replace_modules_of_python(tmp_path):
    (tmp_path / "colorsys.py").write_text('raise SystemExit("this is not Python\'s")\n')
    program = "import sys; from pathlib import Path; from metrics_plugins.runtime import load_registry\n"
    program += "registry = load_registry(folder=Path(sys.argv[1])); import colorsys; print(registry.refused[0].reason)"

    result = subprocess.run([sys.executable, "-c", program, str(tmp_path)], capture_output=True, text=True, check=True)

    assert result.stdout.startswith("colorsys.py has the name of another module (")


def test_syntax_error_shows_the_source_line(tmp_path):
    (tmp_path / "in_folder_syntax.py").write_text("first = 1\nsecond = first +\n")

    message = (
        r"^in_folder_syntax\.py fails to import: SyntaxError: invalid syntax\n"
        r"  at in_folder_syntax\.py, line 2: second = first \+$"
    )
    with pytest.raises(PluginError, match=message):
        import_plugin_file(tmp_path / "in_folder_syntax.py")
