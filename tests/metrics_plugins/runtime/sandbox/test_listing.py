import pytest

from metrics_plugins.runtime import load_registry
from metrics_plugins.runtime.sandbox import PluginChoice, SandboxLimits, list_bundled, list_outside
from metrics_plugins.runtime.sandbox.catalog import describe_registration

LIMITS = SandboxLimits(seconds=60)
HASTY = SandboxLimits(seconds=5)
BROKEN = 'raise ZeroDivisionError("at import")\n'
EXITS = "import os\nos._exit(9)\n"
WORKING = '''
"""Counts letters."""
from metrics_plugins.api import Input, Level, Metric, MetricInfo, Scores, hookimpl


class Letters(Metric):
    info = MetricInfo(
        id="letters", title="Letters", level=Level.SEGMENT, inputs=frozenset({Input.CANDIDATE}), higher_is_better=True,
        bounds=(0.0, float("inf")), version="1", citation="A test",
    )

    def score(self, batch):
        return Scores.make(batch.keys, [float(len(caption)) for caption in batch.candidates])


@hookimpl
def register_metrics():
    return [Letters]
'''


def list_all(*, folder, limits):
    return list_bundled().join(list_outside(folder=folder, limits=limits))


def name_outside(catalog):
    return [entry.info.id for entry in catalog if not entry.bundled]


def test_without_outside_plugins_it_is_what_a_registry_holds():
    catalog = list_all(folder=None, limits=LIMITS)

    assert list(catalog) == [describe_registration(each) for each in load_registry()]
    assert (catalog.refused, catalog.blocked) == ((), ())


@pytest.mark.usefixtures("_hostile")
def test_what_an_outside_plugin_declares_comes_whole():
    catalog = list_all(folder=None, limits=LIMITS)

    entry = catalog.get("takes-parameters")
    assert entry == describe_registration(load_registry().get("takes-parameters"))
    assert entry.distribution == "accordance-hostile-metrics 6.6.6"
    assert len(name_outside(catalog)) == 11


@pytest.mark.usefixtures("_hostile", "_stopping")
def test_plugins_that_end_or_hold_up_their_process_are_refused_and_blocked():
    catalog = list_all(folder=None, limits=HASTY)

    assert len(name_outside(catalog)) == 11
    assert {each.plugin: each.reason for each in catalog.refused} == {
        "exiting": "while it is loaded, its process ended itself with exit code 7; "
        "it had printed: the licence of this plugin has run out",
        "hanging": "while it is loaded, it took longer than the 5 s allowed and was ended",
    }
    assert sorted(catalog.blocked) == [
        "exiting = accordance_exiting_import.plugin",
        "hanging = accordance_hanging_import.plugin",
    ]


def test_files_of_a_folder_are_plugins(tmp_path):
    (tmp_path / "dropped_letters.py").write_text(WORKING)
    (tmp_path / "dropped_broken.py").write_text(BROKEN)
    (tmp_path / "dropped_exits.py").write_text(EXITS)
    (tmp_path / "_helper.py").write_text(BROKEN)

    catalog = list_all(folder=tmp_path, limits=LIMITS)

    (entry,) = [entry for entry in catalog if not entry.bundled]
    assert (entry.info.id, entry.plugin, entry.distribution, entry.origin) == (
        "letters",
        "dropped_letters.py",
        "",
        "dropped_letters.py",
    )
    assert [(each.plugin, each.reason) for each in catalog.refused] == [
        (
            "dropped_broken.py",
            "dropped_broken.py fails to import: ZeroDivisionError: at import\n"
            '  at dropped_broken.py, line 1: raise ZeroDivisionError("at import")',
        ),
        ("dropped_exits.py", "while it is loaded, its process ended itself with exit code 9"),
    ]
    assert catalog.blocked == ("dropped_exits.py",)


def test_no_file_is_loaded_where_nothing_outside_is(tmp_path):
    told = {"outside": False, "blocked": [], "folder": "", "files": []}
    assert PluginChoice(outside=False, folder=tmp_path).to_fields() == told
