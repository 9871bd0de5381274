"""Tests of checks with distorted captions, which are added to a draft and affect raters' records."""

from random import Random

import numpy as np
import pytest
from django.utils import timezone

from metrics_plugins.text.distortions import Distortion
from studies.collection.arrival.raters import join_study
from studies.collection.assignment import Answer, lease_task, submit_answers
from studies.collection.lifecycle import open_study
from studies.design.perturbed_checks import CannotPerturb, add_perturbed_checks
from studies.design.study_design import Checks, ExclusionRules
from studies.enums import PERTURBED, TaskKind, TaskRole
from studies.models import AuditEntry, Candidate, Item, System, Task
from studies.monitoring.quality import report_quality
from tests.factories.open_studies import make_designed_study, make_open_study
from tests.factories.studies import NOW

pytestmark = pytest.mark.django_db
WORDS = (
    "a",
    "small",
    "brown",
    "dog",
    "leaps",
    "over",
    "the",
    "old",
    "log",
    "in",
    "deep",
    "green",
    "woods",
    "by",
    "two",
)


def _make_draft(name="study", *, n_tasks=12, **design):
    """Make a draft whose captions are long and all different."""
    study = make_designed_study(name, n_tasks=n_tasks, has_files=False, **design)
    rng = Random(0)
    for candidate in study.dataset.candidates.all():
        candidate.text = " ".join(rng.sample(WORDS, 8))
        candidate.save()
    return study


def _add(study, number=6, *distortions, seed=0):
    chosen = {"distortions": distortions} if distortions else {}
    return add_perturbed_checks(study, number=number, rng=np.random.default_rng(seed), now=NOW, **chosen)


def _list_checks(study):
    return list(Item.objects.filter(task__study=study, category=PERTURBED).order_by("task__position"))


def test_checks_show_ruined_captions_of_main_items():
    study = _make_draft(checks=Checks(every=3))

    added = _add(study, 6)

    items = _list_checks(study)
    assert dict(added.n_checks) == {"perturbed-rc": 2, "perturbed-wp": 2, "perturbed-rw": 2}
    assert (added.study, added.every) == ("study", 3)
    assert [item.candidate.system.name for item in items] == ["perturbed-rc", "perturbed-wp", "perturbed-rw"] * 2
    assert {(item.task.role, item.expected, item.image_id == item.candidate.image_id) for item in items} == {
        (TaskRole.GOLD, None, True)
    }
    assert [item.task.position for item in items] == list(range(12, 18))
    intact = {item.image_id: item.candidate.text for item in Item.objects.filter(task__role=TaskRole.MAIN)}
    random, permuted, replaced = (item.candidate.text for item in items[:3])
    own, mixed, other = (intact[item.image_id] for item in items[:3])
    assert random != own
    assert random in intact.values()
    assert (permuted != mixed, sorted(permuted.split())) == (True, sorted(mixed.split()))
    assert not any(new == old for new, old in zip(replaced.split(), other.split(), strict=True))
    assert not System.objects.get(name="perturbed-wp").is_human
    # No caption is ruined twice.
    assert len({item.image_id for item in items}) == 6


def test_same_seed_draws_the_same_and_another_does_not():
    texts = []
    for name, seed in (("one", 1), ("two", 1), ("three", 2)):
        study = _make_draft(name)
        _add(study, 3, seed=seed)
        texts.append([item.candidate.text for item in _list_checks(study)])

    assert texts[0] == texts[1] != texts[2]


def test_caption_that_stays_as_it_was_is_passed_over():
    study = _make_draft(n_tasks=3)
    first, second, third = Item.objects.filter(task__study=study).order_by("pk")
    Candidate.objects.filter(pk__in=[first.candidate_id, third.candidate_id]).update(text="dog")

    _add(study, 1, Distortion.WORD_PERMUTATION)

    assert [item.image_id for item in _list_checks(study)] == [second.image_id]


@pytest.mark.parametrize(
    ("number", "distortions", "message"),
    [
        (0, (), "at least one check"),
        (13, (), r"only 12 captions .* but 13 are requested; there are 12"),
        (2, (Distortion.RANDOM_WORDS,) * 2, "each distortion once"),
    ],
)
def test_what_cannot_be_added_is_refused_with_nothing_added(number, distortions, message):
    study = _make_draft()

    with pytest.raises(CannotPerturb, match=message):
        _add(study, number, *distortions)

    assert (Task.objects.filter(study=study).count(), System.objects.filter(name__startswith="perturbed").count()) == (
        12,
        0,
    )


def test_started_study_is_refused():
    with pytest.raises(CannotPerturb, match="study study has started"):
        _add(make_open_study())


def test_pairs_are_refused():
    with pytest.raises(CannotPerturb, match="need ratings, got pairwise"):
        _add(make_designed_study(kind=TaskKind.PAIRWISE))


def test_second_time_is_refused():
    study = _make_draft()
    _add(study, 3)

    with pytest.raises(CannotPerturb, match="has 3 checks with perturbed captions already"):
        _add(study, 3)


def test_one_image_has_no_other_to_take_captions_from():
    with pytest.raises(CannotPerturb, match="at least 2 images"):
        _add(_make_draft(n_tasks=1), 1, Distortion.RANDOM_CAPTION)


def test_raters_who_do_not_read_are_detected():
    rules = ExclusionRules(perturbed_p=0.05)
    study = _make_draft(checks=Checks(every=2), raters_per_task=2, exclusion_rules=rules)
    _add(study, 6)
    open_study(study, now=timezone.now())
    reader, clicker = (
        join_study(study, version=study.versions.latest("number"), now=timezone.now(), rng=Random(n)) for n in (1, 2)
    )
    # Certain answers: the order of the tasks is drawn anew for each study, and with it what chance would give.
    n_reader = _work(reader, lambda is_ruined: 1.0 if is_ruined else 3.0)
    n_clicker = _work(clicker, lambda _: 3.0)

    records = {record.rater: record for record in report_quality(study).raters}
    # All main tasks, and all checks among them.
    assert n_reader == n_clicker == 18
    assert records[reader.pseudonym].perturbed_p < 0.01
    assert records[reader.pseudonym].broken == {}
    assert records[clicker.pseudonym].perturbed_p > 0.05
    assert list(records[clicker.pseudonym].broken) == ["perturbed_p"]
    # There is no right answer, so nobody fails a check.
    assert {(record.n_checks, record.n_failed) for record in records.values()} == {(0, 0)}


def _work(rater, choose):
    n_tasks = 0
    while assignment := lease_task(rater, now=timezone.now()):
        (item,) = assignment.task.items.all()
        answer = Answer(item=item.pk, value=choose(item.category == PERTURBED))
        submit_answers(assignment, answers=[answer], now=timezone.now())
        n_tasks += 1
    return n_tasks


def test_added_checks_are_written_down_and_refused_ones_are_not():
    study = _make_draft()
    _add(study, 2)
    with pytest.raises(CannotPerturb):
        _add(study, 2)

    entry = AuditEntry.objects.get(action="checks_added")
    assert (entry.interface, entry.details) == ("command", {"checks": {"perturbed-rc": 1, "perturbed-wp": 1}})
