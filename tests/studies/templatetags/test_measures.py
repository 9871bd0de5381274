from studies.templatetags.measures import coefficient


def test_a_coefficient_has_the_name_that_tables_head_it_with():
    assert [coefficient(name) for name in ("kendall-c", "pearson", "accuracy")] == [
        "Kendall τ-c",
        "Pearson r",
        "accuracy",
    ]


def test_one_that_is_not_known_keeps_its_name():
    assert coefficient("gamma") == "gamma"
