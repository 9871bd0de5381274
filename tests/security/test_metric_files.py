"""Attack: read files of the server through parameters of metrics, on pages and with the API."""

import json
import re

import pytest

SETUP = """
from django.conf import settings
from pathlib import Path
from tests.factories.studies import make_user
from tests.studies.scored import make_scored_study
user = make_user("{name}")
user.set_password("correct horse battery")
user.save()
study = make_scored_study("{name}", owner=user, score=False)
shared = Path(settings.ACCORDANCE_RESOURCES) / "shared"
shared.mkdir(parents=True, exist_ok=True)
(shared / "table.json").write_text('{{"n_images": 3, "frequencies": {{"a dog": 1}}}}')
other = Path(settings.ACCORDANCE_RESOURCES) / "datasets" / "0"
other.mkdir(parents=True, exist_ok=True)
(other / "private.json").write_text("planted-content")
(shared / "link").symlink_to("/etc") if not (shared / "link").is_symlink() else None
print(settings.VAR_DIR)
"""
ATTACKS = [
    ("cider-d", "df", "/etc/passwd"),
    ("cider-d", "df", "/etc/no-such-file"),
    ("cider-d", "df", "/etc/passwd!x"),
    ("cider-d", "df", "link/passwd"),
    ("cider-d", "df", "../datasets/0/private.json"),
    ("cider-d", "df", "../../secret_key"),
    ("cider-d", "df", "{var}/secret_key"),
    ("spice", "tuples", "/etc/passwd"),
    ("chair-i", "objects", "/proc/self/environ"),
    ("sentence-cosine", "encoder", "/etc@bfloat16"),
    ("sentence-cosine", "encoder", "link@bfloat16"),
    ("sentence-cosine", "encoder", "features:/etc/passwd"),
    ("sentence-cosine", "encoder", "../shared"),
    ("wmd", "vectors", "/etc/passwd.txt"),
    ("critic-reference", "weights", "/etc"),
    ("critic-judgments", "weights", "~"),
]
RULE = "by its path within the files of the dataset or the operator&#x27;s resources"


@pytest.fixture(scope="module")
def door(served_site):
    """A researcher who is logged in, and the folder that the server keeps all in."""
    (var,) = served_site.call(SETUP.format(name="files"))
    visitor = served_site.visit()
    visitor.log_in("files", "correct horse battery")
    return visitor, var


def choose(visitor, metric, name, value):
    address = f"/studies/files/runs/metrics/{metric}/"
    return visitor.submit(visitor.get(address).find_form(having=name), follow=True, **{name: value})


@pytest.mark.slow
@pytest.mark.parametrize(("metric", "name", "value"), ATTACKS)
def test_no_file_of_the_server_is_named(door, metric, name, value):
    visitor, var = door

    page = choose(visitor, metric, name, value.format(var=var))

    assert f"{name} must name " in page.text
    assert RULE in page.text
    assert "planted-content" not in page.text
    assert "root:" not in page.text


@pytest.mark.slow
def test_forbidden_files_give_the_same_message_whether_or_not_they_exist(door):
    visitor, _ = door

    told = {
        tuple(re.findall(r"df must name [^<]*", choose(visitor, "cider-d", "df", value).text))
        for value in ("/etc/passwd", "/etc/no-such-file", "../datasets/0/private.json", "nothing.json", "link/passwd")
    }

    assert len(told) == 1
    assert told.pop()


@pytest.mark.slow
def test_the_operators_files_are_there(door):
    visitor, _ = door

    page = choose(visitor, "cider-d", "df", "table.json")

    assert "The next run of cider-d will use these parameters." in page.text
    assert "df=table.json" in json.dumps(page.text)
