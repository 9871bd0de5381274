import pytest
from django.db import IntegrityError, transaction

from studies.datasets.importing.plain_rows import insert_rows
from studies.models import Image, Reference, StudyVersion
from tests.factories.studies import NOW, make_dataset, make_study

pytestmark = pytest.mark.django_db
FIELDS = ("image", "position", "text")
TEXTS = ("A dog.", "", "tab\tand \\N and\nline", '100 % of {it}, "quoted", l\'ête \N{DOG FACE}')


def test_rows_are_stored_in_their_order_as_they_are():
    image = Image.objects.create(dataset=make_dataset(), key="one")

    insert_rows(Reference, FIELDS, [(image.pk, position, text) for position, text in enumerate(TEXTS)])

    stored = Reference.objects.order_by("pk").values_list("image", "position", "text")
    assert list(stored) == [(image.pk, position, text) for position, text in enumerate(TEXTS)]


def test_what_the_database_demands_holds_here_too():
    image = Image.objects.create(dataset=make_dataset(), key="one")

    with pytest.raises(IntegrityError), transaction.atomic():
        insert_rows(Reference, FIELDS, [(image.pk, 0, "A dog."), (image.pk, 0, "Twice.")])

    assert not Reference.objects.exists()


def test_no_row_is_no_work():
    insert_rows(Reference, FIELDS, [])

    assert not Reference.objects.exists()


def test_times_and_json_are_read_back_as_they_were():
    study = make_study()
    fields = ("study", "number", "design", "created_at")
    design = {"title": "l'ête \\N \N{DOG FACE}", "parts": [1, None, "a\tb\n"]}

    insert_rows(StudyVersion, fields, [(study.pk, 7, design, NOW), (study.pk, 8, {}, NOW)])

    stored = StudyVersion.objects.filter(number__gte=7).order_by("pk").values_list("number", "design", "created_at")
    assert list(stored) == [(7, design, NOW), (8, {}, NOW)]
