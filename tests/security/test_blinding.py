"""Attack: find out from the pages who wrote a caption, on which side it is, or which task is a check.

Items of the study come in the order of the systems, as in a table that was written system by system: whatever tells
an item's place in the data tells its system.
"""

import re

import pytest

N_TASKS = 12
MAKE = """
from datetime import UTC, datetime
from django.db.models import F
from studies.collection.lifecycle import open_study
from studies.enums import TaskKind
from studies.models import Item
from tests.factories.open_studies import make_designed_study
study = make_designed_study({name!r}, kind=TaskKind({kind!r}), n_tasks={n_tasks}, n_items=3, raters_per_task=2)
# Numbers that stand nowhere on a page for another reason.
Item.objects.filter(task__study=study).update(id=F("id") + 700000)
open_study(study, now=datetime.now(UTC))
print(study.join_token)
print(study.seed)
print(*Item.objects.filter(task__study=study).values_list("pk", flat=True))
"""
KEYS = """
from studies.models import Image
print(*Image.objects.filter(dataset__studies__join_token={token!r}).values_list("key", flat=True), sep="\\n")
"""
MAKE_CHECKED = """
from datetime import UTC, datetime
from studies.collection.lifecycle import open_study
from studies.design.study_design import Checks
from studies.enums import TaskRole
from studies.models import Item, Task
from tests.factories.open_studies import make_designed_study
study = make_designed_study({name!r}, n_tasks=12, n_items=1, raters_per_task=2, checks=Checks(every=3))
# All tasks show the same: what differs between pages is not what is judged.
Item.objects.filter(task__study=study).update(image=study.dataset.images.first())
checks = Task.objects.filter(study=study, position__lt=3)
checks.update(role=TaskRole.ATTENTION)
Item.objects.filter(task__in=checks).update(expected=[1.0])
open_study(study, now=datetime.now(UTC))
print(study.join_token)
"""
ROLES = """
from studies.models import Assignment
print(*Assignment.objects.filter(study__join_token={token!r}).order_by("pk").values_list("task__role", flat=True))
"""
OWN = (
    r"[0-9a-f]{{16}}",
    r'(?<=name="csrfmiddlewaretoken" value=")\w+',
    r"(?<=/r/{token}/task/)\d+",
    r"(?<=\bTask )\d+(?= of)",
    r'(?<=<progress max="12" value=")\d+',
    r'(?<=data-draft=")[\w-]+',
    r"(?<=<span>)about .* left",
)
"""What each page has of its own, whatever its task."""
PREDICT = """
from studies.collection.ordering import arrange_items
from studies.collection.shown_tasks import load_items
from studies.models import Assignment
for lease in Assignment.objects.filter(study__join_token={token!r}).order_by("task__position"):
    known = {{"task_position": lease.task.position, "slot_number": lease.slot.number}}
    print(int(arrange_items(load_items(lease.task), seed={token!r}, **known) == lease.shown))
"""


def _make(site, name, kind, *, n_tasks=N_TASKS):
    token, seed, pks = site.call(MAKE.format(name=name, kind=kind, n_tasks=n_tasks))
    return token, seed, pks.split()


def _join(site, token, *, address):
    rater = site.visit(address=address)
    rater.submit(rater.get(f"/r/{token}/").find_form(having="agrees"), agrees="on")
    return rater


def _answer_all(rater, token):
    """Answer with the first choice until no task is left; return the pages of tasks."""
    pages = []
    page = rater.get(f"/r/{token}/task/", follow=True)
    while page.address.endswith("/task/") and len(pages) < 2 * N_TASKS:
        pages.append(page)
        form = page.find_form(leading_to=f"/r/{token}/task/")
        taken = {}
        for name, values in form.choices.items():
            # Of best and worst the same caption cannot be both.
            taken[name] = next(value for value in values if name != "worst" or value != taken["best"])
        page = rater.submit(form, **taken)
    return pages


def _name_fields(page, token):
    form = page.find_form(leading_to=f"/r/{token}/task/")
    return [name for name in form.choices if name.startswith("item-")]


@pytest.mark.parametrize("kind", ["rating", "best_worst", "set_rating"])
def test_pages_contain_no_primary_keys(served_site, kind):
    token, seed, pks = _make(served_site, f"keys-{kind}", kind, n_tasks=2)

    pages = _answer_all(_join(served_site, token, address="192.0.2.11"), token)

    assert len(pages) == 2
    for page in pages:
        names = re.findall(r"(?:item|elapsed|caption|best|worst)-([0-9a-f]+)", page.text)
        assert not set(re.findall(r"\d+", page.text)) & set(pks)
        assert names
        assert all(len(name) == 16 for name in names)
        assert re.findall(r"/images/([^/\"]+)/", page.text) == re.findall(r"/images/([0-9a-f]{16})/", page.text)
        assert seed not in page.text


def test_headers_of_an_image_name_neither_study_nor_data(served_site):
    name = "headers-of-images"
    token, _, _ = _make(served_site, name, "rating", n_tasks=2)
    keys = served_site.call(KEYS.format(token=token))
    rater = _join(served_site, token, address="192.0.2.15")

    pages = _answer_all(rater, token)
    addresses = {address for page in pages for address in re.findall(r"/r/[^\"]+/images/\w+/", page.text)}
    answers = [rater.get(address) for address in sorted(addresses)]

    assert [answer.status for answer in answers] == [200, 200]
    assert len(keys) == 2
    for answer in answers:
        told = str(dict(answer.headers))
        assert re.search(r"filename=\"image\.\w+\"", told)
        assert [secret for secret in (name, *keys) if secret in told] == []


def test_names_of_items_differ_between_raters(served_site):
    token, _, _ = _make(served_site, "collusion", "pairwise", n_tasks=2)

    first, second = (
        _answer_all(_join(served_site, token, address=address), token) for address in ("192.0.2.12", "192.0.2.13")
    )

    names, others = ({name for page in pages for name in _name_fields(page, token)} for pages in (first, second))
    images, other_images = (
        {name for page in pages for name in re.findall(r"/images/(\w+)/", page.text)} for pages in (first, second)
    )
    assert (len(names), len(others), names & others) == (6, 6, set())
    assert (len(images), len(other_images), images & other_images) == (2, 2, set())


def test_checks_cannot_be_told_from_other_tasks(served_site):
    (token,) = served_site.call(MAKE_CHECKED.format(name="checked"))
    rater = _join(served_site, token, address="192.0.2.16")
    joined = rater.get(f"/r/{token}/instructions/").text

    pages = _answer_all(rater, token)

    (roles,) = (line.split() for line in served_site.call(ROLES.format(token=token)))
    told = [re.search(r"Task (\d+) of (\d+)", page.text).groups() for page in pages]
    bars = [re.search(r'<progress max="(\d+)" value="(\d+)"', page.text).groups() for page in pages]
    assert (roles.count("main"), roles.count("attention")) == (9, 3)
    assert told == [(str(number), "12") for number in range(1, 13)]
    assert bars == [("12", str(number)) for number in range(12)]
    assert "attention" not in joined
    # The first page alone has no way back to a last answer.
    bare = {_take_out_own(page.text, token) for page in pages[1:]}
    headers = {str(sorted(_drop(page.headers, "date", "expires", "set-cookie", "content-length"))) for page in pages}
    assert len(bare) == 1
    assert len(headers) == 1, headers
    assert "You have finished 12 tasks" in rater.get(f"/r/{token}/thanks/").text


def _take_out_own(text, token):
    for pattern in OWN:
        text = re.sub(pattern.format(token=token), "", text)
    return text


def _drop(headers, *names):
    return [(name.lower(), value) for name, value in headers.items() if name.lower() not in names]


def test_sides_do_not_follow_from_the_link(served_site):
    token, _, _ = _make(served_site, "sides", "pairwise")
    _answer_all(_join(served_site, token, address="192.0.2.14"), token)

    # The program is public, the link is known, and which place it was can be guessed.
    guessed = [int(line) for line in served_site.call(PREDICT.format(token=token))]

    # Three items have 6 orders and 2 sides.
    assert len(guessed) == N_TASKS
    assert sum(guessed) < N_TASKS / 2
