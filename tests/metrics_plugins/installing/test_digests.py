"""Tests of the digests that come with the project: they are those of the tested versions."""

import re
from importlib.metadata import requires
from pathlib import Path

from metrics_plugins.installing.digests import find_digests, normalise, read_digests
from metrics_plugins.installing.sets import SETS

ROOT = Path(__file__).resolve().parents[3]


def test_they_are_of_the_tested_versions() -> None:
    lines = re.findall(r"^([\w.-]+)==([^\s;]+)", (ROOT / "constraints.txt").read_text(), flags=re.MULTILINE)
    tested = {normalise(name): version for name, version in lines}
    known = dict(read_digests())

    different = {name: version for name, version in known if tested.get(name, version) != version}
    assert different == {}, "run `make lock`"
    assert all(known.values())


def test_every_package_of_a_set_is_there() -> None:
    names = {name for name, _ in read_digests()}
    extras = "|".join({extra for each in SETS for extra in each.extras})
    declared = [line for line in requires("accordance") or () if re.search(rf"extra == ['\"]({extras})['\"]", line)]
    needed = {normalise(re.split(r"[<>=;\[ ]", line)[0]) for line in declared} - {"accordance"}

    assert needed
    assert needed <= names, "run `make lock`"


def test_a_build_is_of_its_version() -> None:
    tested = {("torch", "2.13.0"): frozenset({"a"})}

    assert find_digests("Torch", "2.13.0+cpu", tested=tested) == {"a"}
    assert find_digests("torch", "2.14.0", tested=tested) == frozenset()
