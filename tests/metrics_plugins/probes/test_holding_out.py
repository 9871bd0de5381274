import pytest

from metrics_plugins.probes.errors import ProbeError
from metrics_plugins.probes.holding_out import HeldOut, hold_out
from tests.metrics_plugins.probes.captions import REFERENCES


def test_one_reference_is_held_out_and_lone_images_are_counted():
    assert hold_out(REFERENCES, position=1) == HeldOut(
        position=1,
        image_ids=("dogs", "cats"),
        captions=("the dog runs fast", "two cats sleep"),
        references=(("a dog runs", "a brown dog"), ("a cat sleeps", "a cat")),
        n_dropped=1,
    )


def test_an_image_without_a_reference_at_the_position_is_dropped_too():
    held_out = hold_out({"a": ("1", "2", "3"), "b": ("1", "2")}, position=2)

    assert (held_out.image_ids, held_out.n_dropped) == (("a",), 1)


def test_batch_holds_the_human_captions_or_others():
    held_out = hold_out(REFERENCES)

    assert held_out.make_batch().candidates == ["a dog runs", "a cat sleeps"]
    assert held_out.make_batch(["x", "y"]).candidates == ["x", "y"]
    assert held_out.make_batch().references == [("the dog runs fast", "a brown dog"), ("two cats sleep", "a cat")]


@pytest.mark.parametrize(
    ("references", "position", "message"),
    [
        (REFERENCES, -1, "must be 0 or more, got -1"),
        (REFERENCES, 3, "at least 4 references for reference 3 .* none of 3 has more than 3"),
        ({"a": ("x",)}, 0, "at least 2 references for reference 0 .* none of 1 has more than 1"),
        ({}, 0, "none of 0 has more than 0"),
    ],
)
def test_what_cannot_be_held_out_is_said(references, position, message):
    with pytest.raises(ProbeError, match=message):
        hold_out(references, position=position)
