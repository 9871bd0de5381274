import numpy as np
import pytest

from correlation.errors import CorrelationInputError
from correlation.protocols.inputs import JudgedPairs, RatedItems
from correlation.protocols.named import get_protocol
from studies.analysis.agreement import measure_study
from studies.analysis.reports import correlate_study
from studies.collection.judgments import load_judgments
from studies.design.protocols import STARTING_PROTOCOLS
from studies.enums import TaskKind
from studies.models import Candidate, CaptionSet, Item, Rater
from studies.monitoring.exclusion import exclude_rater
from tests.factories.studies import NOW, make_judgment, make_rater, make_study
from tests.studies.scored import list_items
from tests.studies.scoring.rows import make_rows

pytestmark = pytest.mark.django_db


def judge(study, *values):
    """Let one rater give each row of values to the items in order."""
    for number, row in enumerate(values):
        rater = make_rater(study, f"rater-{number}")
        for item, value in zip(Item.objects.filter(task__study=study).order_by("pk"), row, strict=False):
            make_judgment(item, rater, value)


def test_ratings_in_columns():
    study = make_rows()
    judge(study, (1, 4), (2,))
    items = list(Item.objects.order_by("pk"))

    judgments = load_judgments(study, get_protocol("composite"))

    assert judgments.table.items.tolist() == [str(item.pk) for item in items]
    assert judgments.table.item.tolist() == [0, 1, 0]
    assert judgments.table.value.tolist() == [1, 4, 2]
    assert judgments.table.image.tolist() == ["dog", "cat"]
    assert judgments.table.system.tolist() == ["first", "first"]
    assert judgments.table.rater.tolist() == ["rater-0", "rater-0", "rater-1"]
    assert judgments.scored.tolist() == [[item.candidate_id] for item in items]
    assert judgments.in_references is None
    assert not judgments.has_placeholders


def test_placeholders_are_told():
    study = make_rows()
    judge(study, (1, 4))
    make_judgment(Item.objects.first(), make_rater(study, "vote-2", is_placeholder=True), 3)

    assert load_judgments(study, get_protocol("composite")).has_placeholders


def test_excluded_raters_are_left_out_unless_asked_for():
    study = make_rows()
    judge(study, (1, 4), (2,))
    exclude_rater(Rater.objects.get(pseudonym="rater-0"), reason="answers at random", now=NOW)

    kept, whole = (load_judgments(study, get_protocol("composite"), with_excluded=each) for each in (False, True))

    assert (kept.table.value.tolist(), kept.n_excluded) == ([2], 1)
    assert (whole.table.value.tolist(), whole.n_excluded) == ([1, 4, 2], 0)


@pytest.mark.parametrize(
    ("text", "expected"), [("a dog runs", True), (" the dog\tbarks", True), ("a dog", False), ("A dog runs.", True)]
)
def test_own_references_are_found_by_their_letters(text, expected):
    study = make_rows()
    Candidate.objects.filter(key="dog-first").update(text=text)

    judgments = load_judgments(study, get_protocol("flickr8k-expert"))

    # The candidate of `cat`, "the cat\tnaps", is the reference "the cat naps".
    assert judgments.in_references.tolist() == [expected, True]


def test_pairs_have_two_scores_each():
    study = make_study(kind=TaskKind.PAIRWISE)
    judge(study, (1, -1))

    judgments = load_judgments(study, get_protocol("pascal-50s"))

    pairs = Item.objects.order_by("pk").values_list("candidate_id", "other_candidate_id")
    assert judgments.scored.tolist() == [list(pair) for pair in pairs]
    assert isinstance(_make(judgments, "pascal-50s", width=2), JudgedPairs)


def test_caption_sets_are_scored_as_a_whole():
    study = make_study(kind=TaskKind.SET_RATING)
    judge(study, (0.5, 1))

    judgments = load_judgments(study, get_protocol("diversity"))

    sets = CaptionSet.objects.filter(system__name="first").order_by("pk")
    assert judgments.scored.tolist() == [[caption_set.pk] for caption_set in sets]
    assert isinstance(_make(judgments, "diversity", width=1), RatedItems)


def test_the_category_of_an_item_is_its_criterion_where_the_protocol_has_some():
    study = make_rows(protocol="coco-2015@1")
    Item.objects.filter(key="cat-1").update(category="M2")
    judge(study, (1, 0.5))

    judgments = load_judgments(study, get_protocol("coco-2015"))

    assert judgments.table.criterion.tolist() == ["", "M2"]


def test_a_study_without_items():
    study = make_study(n_tasks=0)

    assert load_judgments(study, get_protocol("flickr8k-expert")).scored.shape == (0, 1)


def _make(judgments, protocol, *, width):
    return judgments.make_data(np.zeros((1, 2, width)), get_protocol(protocol))


def test_captions_are_not_counted_and_the_way_on_is_told():
    study = make_study("writing", kind=TaskKind.CAPTION, n_tasks=1)
    make_judgment(list_items(study)[0], make_rater(study), None, answer={"caption": "A dog."})

    for ask in (correlate_study, measure_study):
        with pytest.raises(CorrelationInputError, match="collect_captions writing --system NAME"):
            ask(study)


def test_best_worst_is_measured_without_variance_between_raters():
    study = make_study(kind=TaskKind.BEST_WORST, n_tasks=4)
    for rater in (make_rater(study, name) for name in ("ann", "bob")):
        for item, value in zip(list_items(study), (1.0, 0.0, 0.0, -1.0), strict=True):
            make_judgment(item, rater, value)

    report = measure_study(study, resamples=20, protocol=STARTING_PROTOCOLS[TaskKind.BEST_WORST])

    values = {row.coefficient: row.value for row in report.agreement}
    assert values["krippendorff-ordinal"] == pytest.approx(1.0)
    assert not any(name.startswith("icc") for name in values)
