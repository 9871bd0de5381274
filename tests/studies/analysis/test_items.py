import pytest

from studies.analysis.items import add_judgments, list_item_keys, list_items, load_items
from studies.enums import TaskKind
from tests.factories.studies import make_judgment, make_rater, make_study


@pytest.mark.django_db
def test_add_judgments():
    study = make_study(n_tasks=2)
    first = list_items(study)[0]
    make_judgment(first, make_rater(study, "rater-1"), 1.0)
    make_judgment(first, make_rater(study, "rater-2"), 4.0)

    rows = add_judgments(list_items(study))

    assert [(row.item.key, row.n_judgments, row.mean_judgment) for row in rows] == [
        ("item-0", 2, 2.5),
        ("item-1", 0, None),
    ]


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("kind", "captions"),
    [
        (TaskKind.RATING, ["first-0"]),
        (TaskKind.PAIRWISE, ["first-0", "second-0"]),
        (TaskKind.SET_RATING, ["first-0"]),
    ],
)
def test_add_judgments_names_the_captions_of_each_kind(kind, captions):
    (row,) = add_judgments(list_items(make_study(kind=kind, n_tasks=1)))

    assert [caption.key for caption in row.captions] == captions


@pytest.mark.django_db
@pytest.mark.parametrize("n_tasks", [1, 3])
@pytest.mark.parametrize(("kind", "n_queries"), [(TaskKind.PAIRWISE, 3), (TaskKind.SET_RATING, 5)])
def test_items_take_a_fixed_number_of_queries(kind, n_queries, n_tasks, django_assert_num_queries):
    study = make_study(kind=kind, n_tasks=n_tasks)

    with django_assert_num_queries(n_queries):
        rows = add_judgments(list_items(study))
        texts = [(row.item.image.key, [caption.system.name for caption in row.captions]) for row in rows]

    assert len(texts) == n_tasks


@pytest.mark.django_db
@pytest.mark.parametrize("n_tasks", [2, 4])
def test_items_are_loaded_by_key_in_the_order_of_keys(n_tasks, django_assert_num_queries):
    study = make_study(n_tasks=n_tasks)
    keys = list(list_item_keys(study))

    with django_assert_num_queries(1):
        items = load_items(keys[::-1])
        texts = [item.candidate.system.name for item in items]

    assert (keys, len(texts)) == ([item.pk for item in list_items(study)], n_tasks)
    assert [item.pk for item in items] == keys[::-1]


@pytest.mark.django_db
def test_items_of_the_same_image_one_after_another_repeat_it():
    study = make_study(n_tasks=3)
    shared = list(list_items(study))

    assert [row.repeats_image for row in add_judgments(shared)] == [False, False, False]
    shared[1].image = shared[0].image
    assert [row.repeats_image for row in add_judgments(shared)] == [False, True, False]
