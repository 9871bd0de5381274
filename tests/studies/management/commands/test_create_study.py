import pytest
from django.core.management import CommandError, call_command

from studies.models import Reference, Study
from tests.factories.studies import make_user

pytestmark = pytest.mark.django_db


def _write(folder, design='preset = "coco-m1"\nconsent = "I agree."\n'):
    (folder / "design.toml").write_text(design)
    (folder / "pairs.csv").write_text("image,anchor,candidate,other_candidate\na,A dog runs.,A dog.,A cat.\n")
    return ["--design", str(folder / "design.toml"), "--items", str(folder / "pairs.csv")]


def test_makes_a_draft_that_opens_and_closes(tmp_path, capsys):
    make_user("zoe")

    call_command("create_study", "mine", *_write(tmp_path), "--owner", "zoe")
    call_command("set_state", "mine", "open")
    call_command("set_state", "mine", "closed")

    study = Study.objects.get()
    assert (study.owner.username, study.state) == ("zoe", "closed")
    assert capsys.readouterr().out.splitlines() == [
        "study mine: 1 images, 1 tasks, 1 items, a draft",
        f"study mine is open; the path for raters is /r/{study.join_token}/",
        "study mine is closed",
    ]


def test_references_come_from_a_file_of_their_own(tmp_path):
    path = tmp_path / "references.csv"
    path.write_text("image,reference\na,A dog runs fast.\na,A brown dog.\nelsewhere,A cat.\n")

    call_command("create_study", "mine", *_write(tmp_path), "--references", str(path))

    texts = list(Reference.objects.filter(image__key="a").order_by("position").values_list("text", flat=True))
    assert set(texts) >= {"A dog runs fast.", "A brown dog."}
    path.write_text("image,caption\na,A dog.\na,\n")
    with pytest.raises(CommandError, match=r"references\.csv"):
        call_command("create_study", "other", *_write(tmp_path), "--references", str(path))
    assert Study.objects.count() == 1


def test_refusals_are_said(tmp_path):
    with pytest.raises(CommandError, match="--owner: must be the name of a user"):
        call_command("create_study", "mine", *_write(tmp_path), "--owner", "nobody")
    call_command("create_study", "mine", *_write(tmp_path, 'preset = "coco-m1"'))
    with pytest.raises(CommandError, match="it has no consent text"):
        call_command("set_state", "mine", "open")
