from metrics_plugins.api.progress import pass_on


def test_steps_are_passed_on():
    assert list(pass_on(iter("abc"), total=3, label="steps")) == ["a", "b", "c"]
