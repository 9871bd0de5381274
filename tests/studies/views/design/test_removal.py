"""Tests of archiving studies and deleting drafts: what is left, and what is refused."""

import pytest

from studies.access.audit import COMMAND_LINE
from studies.collection.lifecycle import CannotChangeState, close_study, open_study
from studies.datasets.removal import CannotRemove, archive_study, delete_draft, restore_study
from studies.models import AuditEntry, Dataset, DesignDraft, Image, Study
from tests.factories.open_studies import make_designed_study, make_open_study
from tests.factories.studies import NOW
from tests.studies.preregistered import make_preregistration
from tests.studies.scored import make_scored_study

pytestmark = pytest.mark.django_db
DONE = {"now": NOW, "actor": COMMAND_LINE}


def _list(client, query="") -> list[str]:
    return [each.study.title for each in client.get(f"/studies/{query}").context["summaries"]]


def test_archived_study_is_left_out_of_the_list_and_comes_back(researcher, owner) -> None:
    study = make_scored_study(owner=owner, title="Put away")

    archive_study(study, **DONE)

    assert _list(researcher) == []
    assert "1 archived study" in researcher.get("/studies/").content.decode()
    assert _list(researcher, "?archived=on") == ["Put away"]
    assert "This study is archived." in researcher.get("/studies/study/").content.decode()
    restore_study(study, **DONE)
    assert _list(researcher) == ["Put away"]
    assert [entry.action for entry in AuditEntry.objects.order_by("pk")] == ["archived", "restored"]


def test_open_study_is_not_archived_and_an_archived_one_not_opened() -> None:
    study = make_open_study()
    with pytest.raises(CannotRemove, match="close it before"):
        archive_study(study, **DONE)
    close_study(study, now=NOW)

    archive_study(study, **DONE)

    with pytest.raises(CannotChangeState, match="take it out of the archive first"):
        open_study(study, now=NOW)
    with pytest.raises(CannotRemove, match="archived already"):
        archive_study(study, **DONE)


def test_deleted_draft_leaves_nothing_but_the_entry(django_capture_on_commit_callbacks, settings, tmp_path) -> None:
    settings.MEDIA_ROOT = tmp_path
    study = make_designed_study()
    assert [path for path in tmp_path.rglob("*") if path.is_file()]

    with django_capture_on_commit_callbacks(execute=True):
        delete_draft(study, **DONE)

    assert (Study.objects.count(), Dataset.objects.count(), Image.objects.count()) == (0, 0, 0)
    assert [path for path in tmp_path.rglob("*") if path.is_file()] == []
    entry = AuditEntry.objects.get()
    assert (entry.action, entry.study, entry.study_name) == ("deleted", None, "study")


def test_dataset_stays_if_another_study_uses_it() -> None:
    study = make_designed_study()
    other = Study.objects.create(
        dataset=study.dataset, name="other", title="Other", kind=study.kind, protocol=study.protocol, created_at=NOW
    )

    delete_draft(study, **DONE)

    assert list(Study.objects.all()) == [other]
    assert Image.objects.filter(dataset=other.dataset).exists()


@pytest.mark.parametrize(
    ("make", "reason"),
    [
        (make_open_study, "it has been opened"),
        (make_scored_study, "it has (been opened|raters or judgments)"),
        (lambda: make_preregistration(make_designed_study()).study, "it has been preregistered"),
    ],
    ids=["opened", "judged", "preregistered"],
)
def test_other_studies_are_not_deleted(make, reason) -> None:
    study = make()

    with pytest.raises(CannotRemove, match=reason):
        delete_draft(study, **DONE)

    assert Study.objects.filter(pk=study.pk).exists()


def test_page_deletes_a_draft_only_if_its_name_is_typed(researcher, owner) -> None:
    study = make_designed_study()
    Study.objects.filter(pk=study.pk).update(owner=owner)
    DesignDraft.objects.create(study=study, user=owner, step="raters", revision="1", based_on=2, saved_at=NOW)
    assert 'href="/studies/study/remove/"' in researcher.get("/studies/study/design/launch/").content.decode()
    assert "Delete the draft" in researcher.get("/studies/study/remove/").content.decode()

    refused = researcher.post("/studies/study/remove/delete/", {"confirmation": "Study"})
    assert (refused.status_code, Study.objects.count()) == (422, 1)
    done = researcher.post("/studies/study/remove/delete/", {"confirmation": "study"}, follow=True)

    assert "Deleted “" in done.content.decode()
    assert not Study.objects.exists()
