"""PASCAL-50S repeated: thirty raters answer like its voters, and their judgments survive export and import.

`ACCORDANCE_PASCAL_PAIRS` says of how many pairs; all 4,000 take an hour.
"""

import os
from collections import Counter, defaultdict
from datetime import timedelta
from random import Random

import pytest
from django.db.models import Avg

from annotation_ui.kinds import KINDS
from studies.collection.arrival.raters import join_study
from studies.collection.assignment import lease_task, submit_answers
from studies.collection.lifecycle import close_study, open_study
from studies.collection.shown_tasks import load_shown_items
from studies.datasets.importing.formats import import_data
from studies.datasets.importing.options import ImportOptions
from studies.design.study_design import StudyDesign
from studies.enums import AssignmentState, TaskKind
from studies.models import Assignment, Item, Judgment, Study, StudyVersion, Task
from studies.publishing.exports import write_judgments
from tests.factories.studies import NOW

N_PAIRS = int(os.environ.get("ACCORDANCE_PASCAL_PAIRS", "200"))
N_RATERS, N_VOTES = 30, 11


@pytest.mark.slow
@pytest.mark.django_db
def test_rerun_of_the_published_votes_comes_back_row_by_row(data_folder, tmp_path, capsys):
    import_data("pascal-50s", options=ImportOptions(data_folder / "pascal50s"), now=NOW)
    published = Study.objects.get(name="pascal-50s-direct")
    rerun, votes = _copy_pairs(published, rng=Random(0))

    _let_raters_vote(rerun, votes)
    close_study(rerun, now=NOW)
    path = tmp_path / "again.csv"
    path.write_text("".join(write_judgments(rerun)), encoding="utf-8", newline="")
    result = import_data("table", options=ImportOptions(path), now=NOW)

    again = Study.objects.get(name="again")
    pseudonyms = _name_in_order(rerun)
    rows = [(*row[:-2], pseudonyms[row[-2]], row[-1]) for row in _list_rows(rerun)]
    assert sorted(rows) == sorted(_list_rows(again))
    assert len(rows) == N_PAIRS * N_VOTES == result.studies[0].judgments
    assert result.studies[0].raters == N_RATERS
    # Each of eleven votes was cast once more, whoever cast it, so that the pair has its published mean.
    whole = [key for key, own in votes.items() if len(own) == N_VOTES]
    means, before = _average(rerun), _average(published)
    assert {key: means[key] for key in whole} == pytest.approx({key: before[key] for key in whole})
    sides = Counter(Judgment.objects.filter(rater__study=rerun).values_list("answer__choice", flat=True))
    assert abs(sides["first"] - sides["second"]) < 4 * (N_PAIRS * N_VOTES) ** 0.5
    with capsys.disabled():
        print(f"\n{N_PAIRS} pairs, {N_RATERS} raters, {len(rows)} judgments, all equal; sides {dict(sides)}")  # noqa: T201


def _copy_pairs(published, *, rng):
    """Copy pairs into a study that raters can join; return it, and the votes of each pair."""
    votes = defaultdict(list)
    for key, value in Judgment.objects.filter(rater__study=published).order_by("pk").values_list("item__key", "value"):
        votes[key].append(value)
    chosen = sorted(rng.sample(sorted(votes), N_PAIRS))
    study = Study.objects.create(
        dataset=published.dataset, name="rerun", title="Rerun", kind=TaskKind.PAIRWISE, protocol=published.protocol,
        created_at=NOW,
    )  # fmt: skip
    design = StudyDesign(question="Which caption is better?", consent="I agree.", raters_per_task=N_VOTES)
    StudyVersion.objects.create(study=study, number=1, design=design.to_json(), created_at=NOW)
    fields = ("key", "category", "image_id", "candidate_id", "other_candidate_id")
    items = Item.objects.filter(task__study=published, key__in=chosen).order_by("pk").values(*fields)
    tasks = Task.objects.bulk_create(Task(study=study, position=position) for position in range(len(chosen)))
    Item.objects.bulk_create(Item(task=task, position=0, **item) for task, item in zip(tasks, items, strict=True))
    open_study(study, now=NOW)
    # Six pairs of all have ten votes: who comes eleventh repeats the first.
    return study, {key: votes[key] for key in chosen}


def _let_raters_vote(study, votes):
    version, rng = study.versions.get(), Random(1)
    design = StudyDesign.from_json(version.design)
    waiting = [join_study(study, version=version, now=NOW, rng=rng, nonce=str(number)) for number in range(N_RATERS)]
    now = NOW
    while waiting:
        rater = rng.choice(waiting)
        now += timedelta(seconds=1)
        assignment = lease_task(rater, now=now)
        if assignment is None:
            waiting.remove(rater)
            continue
        (shown,) = load_shown_items(assignment, seed=study.seed)
        own = votes[Item.objects.get(pk=shown.pk).key]
        vote = own[(assignment.slot.number - 1) % len(own)]
        choice = "first" if (vote > 0) != shown.is_swapped else "second"
        form = KINDS[TaskKind.PAIRWISE]((shown,), design=design, data={f"item-{shown.name}": choice})
        assert form.is_valid()
        submit_answers(assignment, answers=form.read_answers(), now=now)
    held = Assignment.objects.filter(rater__study=study, state=AssignmentState.SUBMITTED)
    assert held.count() == N_PAIRS * N_VOTES


def _list_rows(study):
    item = ("image__key", "category", "candidate__system__name", "candidate__text")
    item += ("other_candidate__system__name", "other_candidate__text")
    columns = [*(f"item__{name}" for name in item), "rater__pseudonym", "value"]
    return list(Judgment.objects.filter(rater__study=study).order_by("pk").values_list(*columns))


def _name_in_order(study):
    """Return pseudonym -> what the import calls a rater: by the first row in which each appears."""
    names = Judgment.objects.filter(rater__study=study).order_by("pk").values_list("rater__pseudonym", flat=True)
    return {name: f"rater-{number}" for number, name in enumerate(dict.fromkeys(names), start=1)}


def _average(study):
    judged = Judgment.objects.filter(rater__study=study)
    whole = judged.values("item__key").annotate(mean=Avg("value")).order_by("item__key")
    return {row["item__key"]: row["mean"] for row in whole}
