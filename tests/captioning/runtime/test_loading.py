"""Tests of loading captioners: accepted and refused plugins, and ids that are not there."""

from types import SimpleNamespace

import pytest

from captioning.api import CaptionerError, UnknownCaptioner, hookimpl
from captioning.runtime import load_captioners, loading
from metrics_plugins.api.errors import PluginError
from metrics_plugins.runtime.installed import InstalledPlugin
from tests.captioning.runtime.examples import DrawnWord, Learner, make_info, make_plugin


def test_captioners_of_plugins_are_sorted_and_know_their_origin() -> None:
    registry = load_captioners([make_plugin(Learner, DrawnWord)], outside=False)

    found = registry.get("learner")
    assert (found.captioner_class, found.plugin, found.is_trainable) == (Learner, "made", True)
    assert list(registry.captioners) == sorted(registry.captioners)
    assert not registry.get("drawn-word").is_trainable


def test_two_captioners_with_one_id_are_refused_naming_both_modules() -> None:
    class Other(DrawnWord):
        __module__ = "somewhere.else"

    with pytest.raises(PluginError) as raised:
        load_captioners([make_plugin(DrawnWord, name="first"), make_plugin(Other, name="second")])

    assert str(raised.value) == (
        "captioner id 'drawn-word' is claimed by somewhere.else (plugin 'second') "
        "and by tests.captioning.runtime.examples (plugin 'first')"
    )


@pytest.mark.parametrize(
    ("plugin", "message"),
    [
        (SimpleNamespace(__name__="made"), "plugin 'made' must implement register_captioners"),
        (
            SimpleNamespace(__name__="made", register_captioners=lambda: ()),
            "plugin 'made' must mark register_captioners with @hookimpl",
        ),
        (make_plugin(int), "register_captioners of plugin 'made' must return classes of Captioner, got <class 'int'>"),  # type: ignore[arg-type]
        (
            make_plugin(type("Half", (Learner.__mro__[1],), {"info": make_info("half")})),
            "must implement caption, train",
        ),
        (make_plugin(type("Bare", (DrawnWord,), {"info": None})), "Bare of plugin 'made' must have a CaptionerInfo"),
    ],
)
def test_broken_plugin_is_refused_by_name(plugin: object, message: str) -> None:
    with pytest.raises(PluginError, match=message):
        load_captioners([plugin])


def test_misnamed_hook_argument_is_refused() -> None:
    def register_captioners(device):
        return ()

    plugin = SimpleNamespace(__name__="made", register_captioners=hookimpl(register_captioners))
    with pytest.raises(PluginError, match=r"(?s)plugin 'made' cannot be registered: .*device"):
        load_captioners([plugin])


def test_broken_installed_plugin_is_listed_and_hurts_no_other(monkeypatch) -> None:
    def fail():
        raise ModuleNotFoundError("no module named 'gone'")

    broken = SimpleNamespace(name="gone", value="gone.plugin", load=fail)
    whole = SimpleNamespace(name="whole", value="whole.plugin", load=lambda: make_plugin(DrawnWord))
    installed = tuple(InstalledPlugin(point, None, "pack 1.0") for point in (broken, whole))
    monkeypatch.setattr(loading, "list_installed", lambda **_: installed)

    registry = load_captioners()

    reason = "gone.plugin fails to import: ModuleNotFoundError: no module named 'gone'"
    assert list(registry.captioners) == ["drawn-word"]
    assert [str(each) for each in registry.refused] == [f"plugin 'gone' of pack 1.0 is refused: {reason}"]
    assert list(load_captioners(blocked=["gone", "whole = whole.plugin"])) == []
    assert list(load_captioners(outside=False)) == []
    with pytest.raises(PluginError, match=r"plugin 'gone' of pack 1\.0 is refused"):
        load_captioners(strict=True)
    with pytest.raises(UnknownCaptioner, match=r"did you mean drawn-word\?$"):
        registry.get("drawn-words")


def test_unknown_parameter_and_missing_folder_are_refused() -> None:
    registry = load_captioners([make_plugin(Learner, DrawnWord)], outside=False)

    with pytest.raises(CaptionerError, match=r"'learner' takes no parameter 'sufix' \(it takes: suffix\)"):
        registry.build("learner", sufix="")
    with pytest.raises(CaptionerError, match="'learner' must be trained first"):
        registry.build("learner")
