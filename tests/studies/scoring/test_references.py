import pytest

from correlation.protocols.named import ReferenceRule
from studies.models import Candidate, Image, Reference
from studies.scoring.errors import ScoringFailed
from studies.scoring.references import (
    ReferenceSelection,
    expand_rule,
    leave_out,
    select_by_candidate,
    select_by_image,
)
from tests.studies.scoring.rows import REFERENCES, make_reference_set, make_rows


def by_key(dataset, references):
    return {image.key: references.get(image.pk, ()) for image in Image.objects.filter(dataset=dataset)}


@pytest.mark.parametrize(
    ("rule", "printed"),
    [
        (ReferenceRule("all"), ["all"]),
        (ReferenceRule("exclude-candidate-per-row"), ["exclude-candidate-per-row"]),
        (ReferenceRule("exclude-candidates-per-image"), ["exclude-candidates-per-image"]),
        (ReferenceRule("set", name="shipped"), ["set-shipped"]),
        (ReferenceRule("draw", size=5, n_draws=2), ["draw-5-number-0-seed-0", "draw-5-number-1-seed-0"]),
    ],
)
@pytest.mark.django_db
def test_rule_expands_to_selections(rule, printed):
    assert [str(selection) for selection in expand_rule(rule, dataset=make_rows().dataset)] == printed


@pytest.mark.django_db
def test_a_set_expands_to_its_parts():
    dataset = make_rows().dataset
    make_reference_set(dataset, {"dog-first": (0,)}, part="one")
    make_reference_set(dataset, {"dog-second": (0,)}, part="two")

    selections = expand_rule(ReferenceRule("set", name="shipped"), dataset=dataset)

    assert [str(selection) for selection in selections] == ["set-shipped-part-one", "set-shipped-part-two"]
    assert len(select_by_candidate(dataset, selections[1])) == 1


@pytest.mark.django_db
def test_all_references_of_each_image():
    dataset = make_rows().dataset

    assert by_key(dataset, select_by_image(dataset, ReferenceSelection("all"))) == REFERENCES


@pytest.mark.django_db
def test_a_candidate_of_the_image_is_gone_for_all_its_candidates():
    dataset = make_rows().dataset

    chosen = select_by_image(dataset, ReferenceSelection("exclude-candidates-per-image"))

    # "the cat\tnaps" excludes "the cat naps": texts are compared without white space, case and punctuation.
    assert by_key(dataset, chosen) == {
        "dog": ("the  dog barks", "a brown animal"),
        "cat": ("a cat",),
        "sea": ("blue water",),
    }


@pytest.mark.django_db
def test_each_candidate_takes_away_one_equal_reference():
    dataset = make_rows().dataset
    cat = dataset.images.get(key="cat")
    Reference.objects.create(image=cat, position=9, text="the cat naps")

    chosen = select_by_image(dataset, ReferenceSelection("exclude-candidates-per-image"))

    # Two people wrote "the cat naps"; one of the two captions is the candidate, the other remains a reference.
    assert by_key(dataset, chosen)["cat"] == ("a cat", "the cat naps")


@pytest.mark.parametrize(
    ("captions", "left"),
    [
        (["a dog runs ."], ("A cat.", "a cat")),
        # One caption takes one copy away, two take both.
        (["a CAT"], ("A dog runs.", "a cat")),
        (["a CAT", "a cat!"], ("A dog runs.",)),
        (["a dog"], ("A dog runs.", "A cat.", "a cat")),
        ([], ("A dog runs.", "A cat.", "a cat")),
    ],
)
def test_leave_out_compares_letters_and_digits(captions, left):
    assert leave_out(captions, references=("A dog runs.", "A cat.", "a cat")) == left


@pytest.mark.django_db
def test_reference_set_belongs_to_candidates():
    dataset = make_rows().dataset
    make_reference_set(dataset, {"dog-first": (2, 0), "dog-second": (1,)})
    pks = dict(Candidate.objects.values_list("key", "pk"))

    chosen = select_by_candidate(dataset, ReferenceSelection("set", name="shipped"))

    assert chosen == {
        pks["dog-first"]: (("a brown animal", "a dog runs"),),
        pks["dog-second"]: (("the  dog barks",),),
    }


@pytest.mark.django_db
def test_unknown_reference_set_is_named():
    dataset = make_rows().dataset

    with pytest.raises(ScoringFailed, match="dataset rows: has no reference set 'other' \\(it has: none\\)"):
        select_by_candidate(dataset, ReferenceSelection("set", name="other"))


@pytest.mark.django_db
def test_draws_are_repeatable_and_differ():
    dataset = make_rows().dataset
    make_rows("other")
    Image.objects.filter(dataset=dataset, key="sea").delete()
    first, second = (ReferenceSelection("draw", size=2, draw=draw) for draw in range(2))

    drawn = by_key(dataset, select_by_image(dataset, first))

    assert drawn == by_key(dataset, select_by_image(dataset, first))
    assert {key: len(set(texts) & set(REFERENCES[key])) for key, texts in drawn.items()} == {"dog": 2, "cat": 2}
    assert drawn != by_key(dataset, select_by_image(dataset, second))


@pytest.mark.django_db
def test_no_more_can_be_drawn_than_there_are():
    dataset = make_rows().dataset

    with pytest.raises(ScoringFailed, match="image sea: has 1 references, but 2 are to be sampled"):
        select_by_image(dataset, ReferenceSelection("draw", size=2, draw=0))
