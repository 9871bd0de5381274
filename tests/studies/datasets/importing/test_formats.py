"""Tests of names, owners and options of all formats."""

from pathlib import Path

import pytest
from django.contrib.auth import get_user_model

from studies.datasets.importing.formats import FORMATS
from studies.models import Dataset, Study
from tests.studies.datasets.importing.conftest import Import, Refuse


def test_formats() -> None:
    assert list(FORMATS) == [
        *("flickr8k-expert", "flickr8k-cf", "pascal-50s", "fense", "triplets", "shapeworld", "coco"),
        *("composite", "thumb", "polaris", "nebula", "capeval1k", "foil", "crisscrossed", "table"),
    ]


def test_refuses_a_name_that_is_taken(run_import: Import, refuse: Refuse, flickr8k: Path) -> None:
    run_import("flickr8k-expert", source=flickr8k)

    message = "dataset flickr8k-expert: already exists; choose another name with --study NAME"
    assert refuse("flickr8k-expert", source=flickr8k) == message
    run_import("flickr8k-expert", source=flickr8k, study="again")
    assert list(Study.objects.values_list("name", "dataset__name")) == [
        ("again", "again"),
        ("flickr8k-expert", "flickr8k-expert"),
    ]


def test_refuses_a_study_name_that_is_taken_late(run_import: Import, refuse: Refuse, pascal50s: Path) -> None:
    # The second study's name is taken, when the dataset and the first are written already.
    run_import("pascal-50s", source=pascal50s)
    Study.objects.filter(name="pascal-50s-direct").update(name="mine-direct")

    message = "study mine-direct: already exists; choose another name with --study NAME"
    assert refuse("pascal-50s", source=pascal50s, study="mine") == message
    assert not Dataset.objects.filter(name="mine").exists()


def test_the_owner_option_sets_the_owner_of_the_study(run_import: Import, refuse: Refuse, flickr8k: Path) -> None:
    owner = get_user_model().objects.create_user("ada")

    run_import("flickr8k-cf", source=flickr8k, owner="ada")
    study = Study.objects.get()
    assert (study.owner, study.versions.get().created_by) == (owner, owner)
    message = "--owner: must be the name of a user, got 'bob'"
    assert refuse("flickr8k-expert", source=flickr8k, owner="bob") == message


@pytest.mark.parametrize(
    ("name", "options", "message"),
    [
        ("flickr8k-cf", {"column": ("a=b",)}, "--column: is not an option of the format flickr8k-cf"),
        ("table", {"annotations": "a.json"}, "--annotations: is not an option of the format table"),
        ("fense", {"more_sources": (Path("b"),)}, "more than one --from: is not an option of the format fense"),
        ("coco", {"scale": "1-5"}, "--scale: is not an option of the format coco"),
    ],
)
def test_refuses_options_of_other_formats(
    refuse: Refuse, tmp_path: Path, name: str, options: dict[str, object], message: str
) -> None:
    assert refuse(name, source=tmp_path, **options) == message
