"""Tests of batches: tasks are exported, and results imported once as ordinary judgments."""

import pytest
from django.core.management import CommandError, call_command
from django.utils import timezone

from studies.collection.lifecycle import close_study, open_study
from studies.design.study_design import Panel, Slider
from studies.enums import PanelKind, RaterOutcome, TaskKind
from studies.models import (
    Assignment,
    AuditEntry,
    Candidate,
    Consent,
    Identity,
    Item,
    Judgment,
    Rater,
    Slot,
    Study,
    Submission,
)
from studies.models.study import make_seed
from tests.annotation_ui.channels.batch import make_result, read_pages, write_results
from tests.factories.open_studies import make_designed_study, make_open_study
from tests.row_counts import count_rows

pytestmark = pytest.mark.django_db
AMT = Panel(kind=PanelKind.AMT)


def _write(folder, **options):
    call_command("amt_batch", "study", out=folder, **options)
    return read_pages(folder)


def _import(folder, results):
    call_command("amt_batch", "study", results=write_results(folder / "results.csv", results))


def _make_study(**design):
    return make_open_study(**{"panel": AMT, "raters_per_task": 2, **design})


def _refuse(folder, results):
    before = count_rows()
    with pytest.raises(CommandError) as refusal:
        _import(folder, results)
    assert count_rows() == before
    return str(refusal.value)


@pytest.mark.parametrize("kind", list(TaskKind))
def test_every_kind_goes_out_and_comes_back(tmp_path, capsys, kind):
    study = _make_study(kind=kind, n_items=2)
    results = []
    for row, page in _write(tmp_path):
        assert all(page.required)
        written = "A brown dog leaps over an old log in the forest."
        answers = {name: written if offers == ["textarea"] else offers[0] for name, offers in page.offers.items()}
        if kind == TaskKind.BEST_WORST:
            answers["q2"] = page.offers["q2"][-1]
        results.append(make_result(row, "W1", answers))
    capsys.readouterr()

    _import(tmp_path, results)

    assert capsys.readouterr().out == "study: 2 assignments by 1 raters imported, 0 already known\n"
    assert Judgment.objects.count() == Item.objects.filter(task__study=study).count()
    held = Assignment.objects.all()
    assert {(one.state, (one.submitted_at - one.leased_at).total_seconds()) for one in held} == {("submitted", 40.0)}
    assert Slot.objects.filter(is_held=True).count() == 2
    rater = Rater.objects.get()
    assert (rater.outcome, Consent.objects.count()) == (RaterOutcome.FINISHED, 1)


def _choose_first(folder, study):
    """Write the batch, and answer each pair with what stands first; return the results and each item's value."""
    results, chosen = [], {}
    for row, page in _write(folder):
        # The legend of the second choice is the caption that a worker saw second.
        assert page.offers["q1"][:2] == ["first", "second"]
        shown = [text.strip() for text in page.texts if text.strip()]
        item = Item.objects.get(task__study=study, task__position=row["task"])
        pair = [item.candidate.text, item.other_candidate.text]
        chosen[item.pk] = 1.0 if shown.index(pair[0]) < shown.index(pair[1]) else -1.0
        results.append(make_result(row, "W1", {"q1": "first"}))
    return results, chosen


def test_choice_means_the_caption_that_was_shown_there(tmp_path):
    study = _make_study(kind=TaskKind.PAIRWISE, n_tasks=6)
    results, chosen = _choose_first(tmp_path, study)

    _import(tmp_path, results)

    assert dict(Judgment.objects.values_list("item", "value")) == chosen
    # Each caption of the pairs was first in half of the tasks.
    assert sorted(chosen.values()) == [-1.0] * 3 + [1.0] * 3


def test_batch_is_read_as_it_was_shown_after_the_study_was_closed_and_opened_again(tmp_path):
    study = _make_study(kind=TaskKind.PAIRWISE, n_tasks=24)
    results, chosen = _choose_first(tmp_path, study)
    close_study(study, now=timezone.now())
    open_study(study, now=timezone.now())

    _import(tmp_path, results)

    assert dict(Judgment.objects.values_list("item", "value")) == chosen
    assert list(AuditEntry.objects.filter(action="batch_written").values_list("details", flat=True)) == [{"tasks": 24}]


def test_row_that_was_shown_in_another_order_is_refused(tmp_path):
    study = _make_study(kind=TaskKind.PAIRWISE)
    results, _ = _choose_first(tmp_path, study)
    Study.objects.filter(pk=study.pk).update(seed=make_seed())

    message = _refuse(tmp_path, results)

    assert message.splitlines() == [
        "results.csv, line 2: task 0 was shown in a different order than the study has now, so its answers cannot be "
        "read",
        "results.csv, line 3: task 1 was shown in a different order than the study has now, so its answers cannot be "
        "read",
        "nothing was imported: 2 of 2 rows are invalid",
    ]


def test_row_with_the_layout_of_another_task_is_refused(tmp_path):
    study = _make_study(kind=TaskKind.PAIRWISE)
    (first, second), _ = _choose_first(tmp_path, study)

    assert "task 0 was shown in a different order" in _refuse(
        tmp_path, [first | {"Input.layout": second["Input.layout"]}]
    )


def test_worker_is_known_by_a_keyed_hash_alone(tmp_path):
    _make_study()
    pages = _write(tmp_path)

    _import(tmp_path, [make_result(row, worker, {"q1": "4"}) for row, _ in pages for worker in ("AW1", "AW2")])

    assert set(Identity.objects.values_list("panel", "participant_id")) == {("amt", "AW1"), ("amt", "AW2")}
    raters = Rater.objects.values_list("pseudonym", "identity_hash")
    assert not [name for name, hashed in raters for worker in ("AW1", "AW2") if worker in name + hashed]
    assert set(Submission.objects.values_list("identity_hash", flat=True)) == {hashed for _, hashed in raters}
    assert "AW1" not in str(list(Submission.objects.values("parameters", "code")))


def test_second_import_changes_nothing_and_a_longer_file_adds_what_is_new(tmp_path, capsys):
    _make_study()
    (first, _), (second, _) = _write(tmp_path)
    results = [make_result(first, "W1", {"q1": "4"})]
    _import(tmp_path, results)
    before = count_rows()

    _import(tmp_path, results)
    again = count_rows()
    _import(tmp_path, [*results, make_result(second, "W1", {"q1": "2"})])

    assert again == before
    entries = AuditEntry.objects.filter(action="batch_taken").values_list("details", flat=True)
    assert list(entries) == [{"assignments": 1, "raters": 1}] * 2
    assert list(Judgment.objects.order_by("pk").values_list("value", flat=True)) == [4.0, 2.0]
    assert [line.partition(": ")[2] for line in capsys.readouterr().out.splitlines()[1:]] == [
        "1 assignments by 1 raters imported, 0 already known",
        "0 assignments by 0 raters imported, 1 already known",
        "1 assignments by 1 raters imported, 1 already known",
    ]


def test_bad_rows_are_told_together_and_nothing_is_taken_in(tmp_path):
    _make_study(raters_per_task=1, tasks_per_rater=1, n_tasks=3)
    (first, _), (second, _), (third, _) = _write(tmp_path)

    message = _refuse(
        tmp_path,
        [
            make_result(first, "W1", {"q1": "4"}),
            make_result(first, "W2", {"q1": "4"}),
            make_result(second, "W1", {"q1": "4"}),
            make_result(second, "W3", {"q1": "5"}),
            make_result(second, "W4", {"q1": ""}),
            make_result(third, "W5", {"q1": "4", "q2": "1"}),
            make_result(third, "W6", {"q1": "4"}, **{"Input.task": "77"}),
            make_result(first, "W1", {"q1": "4"}, AssignmentId="A-again"),
        ],
    )

    assert message.splitlines() == [
        "results.csv, line 3: task 0 already has its 1 raters",
        "results.csv, line 4: the worker has done 1 tasks, the maximum per rater",
        "results.csv, line 5: q1: Choose one of the answers.",
        "results.csv, line 6: q1: Choose one of the answers.",
        "results.csv, line 7: the page of this task has no field q2",
        "results.csv, line 8: task 77 is not a main task of study study",
        "results.csv, line 9: the worker already has task 0, and may not judge an item twice",
        "nothing was imported: 7 of 8 rows are invalid",
    ]


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"WorkerId": ""}, "results.csv, line 2, field WorkerId: must be an id of 1 to 200 characters"),
        ({"WorkerId": "W\x071"}, "line 2, field WorkerId: must be an id"),
        ({"AssignmentId": "A 1"}, "line 2, field AssignmentId: must be an id"),
        ({"WorkTimeInSeconds": "-1"}, "line 2, field WorkTimeInSeconds: must be a whole number from 0 to"),
        ({"WorkTimeInSeconds": "soon"}, "line 2, field WorkTimeInSeconds: must be a whole number"),
        ({"Input.task": "one"}, "line 2, field Input.task: must be a whole number"),
        ({"Input.study": "other"}, "line 2, field Input.study: must be study, got 'other'"),
    ],
)
def test_cell_that_cannot_be_read_is_refused(tmp_path, changes, message):
    _make_study()
    (row, _), _ = _write(tmp_path)

    assert message in _refuse(tmp_path, [make_result(row, "W1", {"q1": "4"}, **changes)])


def test_file_without_the_columns_or_with_a_row_twice_is_refused(tmp_path):
    _make_study()
    (row, _), _ = _write(tmp_path)
    result = make_result(row, "W1", {"q1": "4"})

    assert "must have the columns WorkerId, AssignmentId" in _refuse(tmp_path, [{"WorkerId": "W1"}])
    assert "must occur only once, but is already in line 2, got 'A-W1-0'" in _refuse(tmp_path, [result, result])


def test_assignment_of_another_worker_is_refused(tmp_path):
    _make_study()
    (row, _), _ = _write(tmp_path)
    _import(tmp_path, [make_result(row, "W1", {"q1": "4"})])

    message = _refuse(tmp_path, [make_result(row, "W2", {"q1": "4"}, AssignmentId="A-W1-0")])

    assert "assignment 'A-W1-0' was submitted by another worker" in message


def test_rejected_assignment_is_left_out(tmp_path):
    _make_study()
    (row, _), _ = _write(tmp_path)

    _import(tmp_path, [make_result(row, "W1", {"q1": "4"}, AssignmentStatus="Rejected")])

    assert Judgment.objects.count() == Rater.objects.count() == 0


def test_closed_study_takes_nothing(tmp_path):
    study = _make_study()
    (row, _), _ = _write(tmp_path)
    close_study(study, now=timezone.now())

    assert "must be open to take judgments, but is closed" in _refuse(tmp_path, [make_result(row, "W1", {"q1": "4"})])


def test_no_batch_is_written_of_a_closed_study(tmp_path):
    close_study(_make_study(), now=timezone.now())

    with pytest.raises(CommandError, match="study study is closed; open it before a batch is written"):
        call_command("amt_batch", "study", out=tmp_path)

    assert list(tmp_path.iterdir()) == []
    assert not AuditEntry.objects.filter(action="batch_written").exists()


def test_texts_are_shown_as_text_and_never_as_columns(tmp_path):
    study = make_designed_study(panel=AMT, consent="You win ${questions} & <b>more</b>.")
    Candidate.objects.update(text='<script>alert("1")</script> ${task}')

    call_command("amt_batch", "study", out=tmp_path)

    page = (tmp_path / "study.html").read_text(encoding="utf-8")
    table = (tmp_path / "study.csv").read_text(encoding="utf-8")
    assert page.count("${") == page.count("${questions}") == 1
    assert "<p>You win &#36;{questions} &amp; &lt;b&gt;more&lt;/b&gt;.</p>" in page
    assert "<script" not in page + table
    assert "${" not in table
    assert study.join_token not in page + table


def test_images_come_with_the_rows_or_from_an_address(tmp_path):
    _make_study(n_items=3)

    embedded = _write(tmp_path)
    linked = _write(tmp_path, images_url="https://images.example.org/all/")

    # Three captions of one image stand under one picture.
    assert [len(page.images) for _, page in embedded] == [1, 1]
    assert all(page.images[0].startswith("data:image/jpeg;base64,/9j/") for _, page in embedded)
    assert [page.images for _, page in linked] == [[f"https://images.example.org/all/image-{n}"] for n in range(2)]


def test_slider_becomes_a_number_with_its_bounds(tmp_path):
    _make_study(scale=(), slider=Slider(low_label="worst", high_label="best"))
    (row, page), _ = _write(tmp_path)

    assert page.offers == {"q1": ["number"]}
    assert "Enter a number from 0 to 100" in _refuse(tmp_path, [make_result(row, "W1", {"q1": "nan"})])
    _import(tmp_path, [make_result(row, "W1", {"q1": "62"})])
    assert Judgment.objects.get().value == 62.0
