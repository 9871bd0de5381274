"""Tests that names on raters' pages reveal nothing, and that random draws depend on the study's secret."""

from itertools import pairwise

import pytest

from studies.collection.assignment import lease_task
from studies.collection.blinding import mask_number, name_item, unmask_number
from studies.collection.lifecycle import close_study, open_study
from studies.collection.shown_tasks import load_shown_items
from studies.enums import TaskKind
from studies.models import Study
from studies.publishing.bundles.rows import describe_study
from tests.factories.open_studies import make_open_study
from tests.factories.studies import NOW, make_rater

SEED = "0123456789abcdef"


@pytest.mark.parametrize("number", [0, 1, 2**32 - 1, 2**32, 2**63 - 1])
def test_masked_number_comes_back_with_its_seed_and_scope_only(number: int) -> None:
    masked = mask_number(number, seed=SEED, scope="image/7")

    assert unmask_number(masked, seed=SEED, scope="image/7") == number
    assert unmask_number(masked, seed=SEED, scope="image/8") != number
    assert unmask_number(masked, seed="another", scope="image/7") != number


@pytest.mark.parametrize("text", ["", "7", "0" * 15, "0" * 17, "g" * 16, "A" * 16, "0" * 15 + "\n", "٤" * 16])
def test_text_of_another_form_is_no_number(text: str) -> None:
    assert unmask_number(text, seed=SEED, scope="") is None


def test_masked_numbers_keep_neither_order_nor_differences() -> None:
    masked = [int(mask_number(number, seed=SEED, scope=""), 16) for number in range(1000)]

    assert len(set(masked)) == 1000
    # Of a random order half of the steps go up; five standard deviations (1/12 of the steps each) to either side.
    ups = sum(before < after for before, after in pairwise(masked))
    assert abs(ups - 999 / 2) < 5 * (1000 / 12) ** 0.5
    assert len({number % 4 for number in masked[::4]}) == 4


def test_items_have_another_name_in_each_scope() -> None:
    names = {name_item(pk, seed=seed, scope=scope) for pk in range(50) for seed in "ab" for scope in "cd"}

    assert len(names) == 200


@pytest.mark.django_db
@pytest.mark.parametrize("kind", [TaskKind.PAIRWISE, TaskKind.SET_RATING])
def test_order_and_sides_follow_the_seed_and_not_the_link(kind: TaskKind) -> None:
    def show(name: str, *, token: str, seed: str) -> list[list[int]]:
        study = make_open_study(name, kind=kind, n_tasks=1, n_items=3, raters_per_task=6, has_files=False)
        Study.objects.filter(pk=study.pk).update(join_token=token, seed=seed)
        first = min(study.tasks.get().items.values_list("pk", flat=True))
        leases = [lease_task(make_rater(study, f"rater-{number}"), now=NOW) for number in range(6)]
        smallest = min(pk for lease in leases for entry in lease.shown for pk in entry["captions"])
        return [
            [
                number
                for entry in lease.shown
                for number in (entry["item"] - first, *(pk - smallest for pk in entry["captions"]))
            ]
            for lease in leases
        ]

    shown = show("one", token="same", seed=SEED)

    assert show("two", token="other", seed=SEED) == shown
    assert any(show(f"study-{number}", token=f"t{number}", seed=str(number)) != shown for number in range(4))


@pytest.mark.django_db
def test_names_differ_between_raters_of_one_task_and_stay_while_it_is_held() -> None:
    study = make_open_study(n_tasks=1, n_items=3, raters_per_task=2)
    one, other = (lease_task(make_rater(study, name), now=NOW) for name in ("one", "other"))

    def names(assignment: object) -> dict[int, str]:
        return {shown.pk: shown.name for shown in load_shown_items(assignment, seed=study.seed)}

    assert set(names(one)) == set(names(other))
    assert not set(names(one).values()) & set(names(other).values())
    assert names(one) == names(lease_task(one.rater, now=NOW))


@pytest.mark.django_db
def test_seed_is_told_by_a_bundle_after_closing_only_and_is_never_used_again() -> None:
    study = make_open_study(has_files=False)
    seed = study.seed

    while_open = describe_study(study)
    close_study(study, now=NOW)
    closed = describe_study(study)
    open_study(study, now=NOW)
    study.refresh_from_db()

    assert (seed in str(while_open), closed["seed"]) == (False, seed)
    assert study.seed != seed
    assert seed not in str(describe_study(study))
