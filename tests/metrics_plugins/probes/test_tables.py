import json
from math import inf, nan

from metrics_plugins.probes.tables import format_json, format_table, print_number, print_share


def test_table_has_names_at_the_left_and_numbers_at_the_right():
    assert format_table(["name", "n"], [["a|b", "1"]]) == "| name | n |\n| --- | ---: |\n| a\\|b | 1 |\n"


def test_json_leaves_undefined_numbers_out():
    assert json.loads(format_json({"a": [nan, inf, 1.5], "b": (1, "é")})) == {"a": [None, None, 1.5], "b": [1, "é"]}


def test_numbers_are_printed_or_a_dash():
    assert [print_number(value) for value in (0.12345, nan)] == ["0.1235", "-"]
    assert [print_share(value) for value in (0.12345, nan)] == ["12.3 %", "-"]
