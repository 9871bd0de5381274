"""Tests of loading plugins: accepted and rejected ones; see tests/plugins/test_installed.py for installed ones."""

from types import SimpleNamespace

import pytest

from metrics_plugins.api import Fittable, Metric, MetricInfo, hookimpl
from metrics_plugins.api.errors import PluginError
from metrics_plugins.runtime import load_registry
from tests.metrics_plugins.api.examples import ExamplePlugin, Recall, Words, make_info


def _make_plugin(**hooks: object) -> SimpleNamespace:
    return SimpleNamespace(__name__="made", **hooks)


def _mark(function: object) -> object:
    return hookimpl(function)


def test_two_metrics_with_one_id_are_refused_naming_both_modules() -> None:
    class OtherWords(Words):
        __module__ = "somewhere.else"

    with pytest.raises(PluginError) as raised:
        load_registry([ExamplePlugin(Words, name="first"), ExamplePlugin(Recall, OtherWords, name="second")])

    assert str(raised.value) == (
        "metric id 'words' is claimed by somewhere.else (plugin 'second') "
        "and by tests.metrics_plugins.api.examples (plugin 'first')"
    )


def test_one_plugin_cannot_register_an_id_twice() -> None:
    with pytest.raises(PluginError, match="metric id 'words' is claimed by"):
        load_registry([ExamplePlugin(Words, Words)])


def test_misspelled_hook_is_refused() -> None:
    message = (
        r"^plugin 'made' cannot be registered: unknown hook 'register_metric'; did you mean register_metrics\?\n"
        r"  at test_loading\.py, line \d+: load_registry\("
    )
    with pytest.raises(PluginError, match=message):
        load_registry([_make_plugin(register_metric=_mark(lambda: ()))])


def test_function_in_place_of_a_class_is_refused_with_its_line() -> None:
    message = (
        r"must return classes of Metric or Fittable, got the lambda; adapt_function makes a class of a function\n"
        r"  at test_loading\.py, line \d+: load_registry\("
    )
    with pytest.raises(PluginError, match=message):
        load_registry([ExamplePlugin(lambda batch: batch)])


def test_misnamed_argument_is_refused() -> None:
    def provide_tokenizer(language):
        return None

    with pytest.raises(PluginError, match=r"(?s)plugin 'made' cannot be registered: .*language"):
        load_registry([_make_plugin(provide_tokenizer=_mark(provide_tokenizer))])


def test_unmarked_hook_is_refused() -> None:
    with pytest.raises(PluginError, match="register_metrics of plugin 'made' must be marked with @hookimpl"):
        load_registry([_make_plugin(register_metrics=lambda: (Words,))])


def test_plugin_without_hooks_is_refused() -> None:
    with pytest.raises(PluginError, match=r"plugin 'made' implements no hook \(there are: register_metrics, provide_"):
        load_registry([_make_plugin()])


def test_hook_may_have_another_name_in_the_plugin() -> None:
    @hookimpl(specname="register_metrics")
    def list_all_of_mine():
        return (Words,)

    assert "words" in load_registry([_make_plugin(list_all_of_mine=list_all_of_mine)]).metrics


class _WithoutInfo(Metric):
    def score(self, batch):
        raise AssertionError


class _Abstract(Fittable):
    info: MetricInfo = make_info("abstract")


@pytest.mark.parametrize(
    ("registered", "message"),
    [
        (Words(), "register_metrics of plugin 'examples' must return classes of Metric or Fittable, got <"),
        (dict, "must return classes of Metric or Fittable, got <class 'dict'>"),
        (_WithoutInfo, "_WithoutInfo of plugin 'examples' must have a MetricInfo as `info`"),
        (_Abstract, "_Abstract of plugin 'examples' must implement fit"),
    ],
)
def test_what_is_not_a_metric_class_is_refused(registered: object, message: str) -> None:
    with pytest.raises(PluginError, match=message):
        load_registry([ExamplePlugin(registered)])


def test_failing_hook_names_its_plugin() -> None:
    def register_metrics():
        raise RuntimeError("no licence")

    with pytest.raises(PluginError, match="plugin 'made' cannot be registered: RuntimeError: no licence"):
        load_registry([_make_plugin(register_metrics=_mark(register_metrics))])


def test_same_plugin_twice_is_refused() -> None:
    plugin = ExamplePlugin(Words)

    with pytest.raises(PluginError, match="plugin 'examples' cannot be registered"):
        load_registry([plugin, plugin])


def test_blocked_plugin_is_not_loaded() -> None:
    everything = {registration.plugin for registration in load_registry()}

    assert {registration.plugin for registration in load_registry(blocked=["ngram"])} == everything - {"ngram"}


def test_registries_are_separate() -> None:
    assert "words" in load_registry([ExamplePlugin(Words)]).metrics
    assert "words" not in load_registry().metrics
