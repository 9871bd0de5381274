import sys
from typing import Literal, Self

import pytest

from metrics_plugins.api import Batch, BuildContext, FitsOn, Metric, Scores
from metrics_plugins.api.resources import install_extras
from metrics_plugins.metrics.scene_graph.parsers import PARSER
from metrics_plugins.runtime import FileRoots
from metrics_plugins.runtime.sandbox import CatalogEntry
from metrics_plugins.runtime.sandbox.parameters import list_parameters
from studies.forms.runs import ParametersForm, RunForm
from studies.models import Study, StudyMetric
from studies.scoring.plugins.catalog import load_catalog
from studies.scoring.requested_runs.options import make_option
from tests.metrics_plugins.api.examples import make_info


class Takes(Metric):
    """Has a parameter of each kind."""

    info = make_info("takes")

    @classmethod
    def build(
        cls,
        context: BuildContext,
        *,
        n: int = 4,
        share: float = 0.5,
        name: str = "ptb",
        strict: bool = True,
        unit: Literal["word", 2] = "word",
        limit: int | None = None,
        maybe: bool | None = None,
        several: tuple[int, ...] = (1, 2),
    ) -> Self:
        return cls()

    def score(self, batch: Batch) -> Scores:
        raise NotImplementedError


ENTRY = CatalogEntry(Takes.info, list_parameters(Takes), "takes.py", "", "takes")
UNCHANGED = {"n": "4", "share": "0.5", "name": "ptb", "strict": "on", "unit": "word", "limit": "", "maybe": ""}


def read(**changes):
    sent = {name: value for name, value in {**UNCHANGED, **changes}.items() if value is not None}
    form = ParametersForm(sent, entry=ENTRY, chosen={}, files=FileRoots(()))
    return form.params if form.is_valid() else dict(form.errors)


def test_fields_are_of_the_types_of_the_parameters_with_what_was_chosen():
    form = ParametersForm(entry=ENTRY, chosen={"n": 7, "unit": 2}, files=FileRoots(()))

    assert {name: type(field).__name__.strip("_") for name, field in form.fields.items()} == {
        "n": "IntegerField",
        "share": "FloatField",
        "name": "CharField",
        "strict": "BooleanField",
        "unit": "ValueField",
        "limit": "IntegerField",
        "maybe": "ValueField",
    }
    assert [field.initial for field in form.fields.values()] == [7, 0.5, "ptb", True, 2, None, None]
    assert [parameter.name for parameter in form.fixed] == ["several"]
    assert '<option value="2" selected>2</option>' in str(form["unit"])


@pytest.mark.parametrize(
    ("changes", "params"),
    [
        ({}, {}),
        ({"n": "3", "share": "1"}, {"n": 3, "share": 1.0}),
        ({"n": "", "share": ""}, {}),
        ({"name": ""}, {"name": ""}),
        ({"strict": None}, {"strict": False}),
        ({"unit": "2"}, {"unit": 2}),
        ({"limit": "5", "maybe": "False"}, {"limit": 5, "maybe": False}),
    ],
)
def test_values_are_read_in_their_types(changes, params):
    assert read(**changes) == params


@pytest.mark.parametrize(
    ("changes", "errors"),
    [
        ({"n": "3.5"}, {"n": ["Enter a whole number."]}),
        ({"share": "nan"}, {"share": ["Enter a number."]}),
        ({"unit": "letter"}, {"unit": ["Select a valid choice. letter is not one of the available choices."]}),
        ({"name": "x" * 201}, {"name": ["Ensure this value has at most 200 characters (it has 201)."]}),
    ],
)
def test_other_values_are_refused(changes, errors):
    assert read(**changes) == errors


def test_metrics_that_are_switched_off_or_unfitted_cannot_be_chosen():
    unfitted = next(entry for entry in load_catalog() if entry.info.fits_on is FitsOn.CAPTIONS)
    off = StudyMetric(metric="length", is_enabled=False)
    entries = [(load_catalog().get("bleu-4"), None), (load_catalog().get("length"), off), (unfitted, None)]
    form = RunForm(options=[make_option(*each) for each in entries], training_studies=Study.objects.none())

    assert form.fields["metrics"].choices == [("ngram", [("bleu-4", "bleu-4 (BLEU-4)")])]
    assert form.unfitted == [unfitted.info.id]
    assert form.fields["metrics"].initial == ["bleu-4"]
    assert "judging" not in form.fields


def test_metrics_that_lack_something_are_listed_apart(monkeypatch):
    monkeypatch.setitem(sys.modules, "spacy", None)
    given = StudyMetric(metric="spice-object", params={"tuples": "tuples.json"})
    entries = [("bleu-1", None), ("spice", None), ("spice-object", given)]
    options = [make_option(load_catalog().get(name), choice) for name, choice in entries]

    form = RunForm(options=options, training_studies=Study.objects.none())

    assert form.offered == ["bleu-1", "spice-object"]
    assert [(option.info.id, option.lacks) for option in form.unavailable] == [("spice", PARSER.name)]
    assert form.install == (install_extras("parsing"),)
