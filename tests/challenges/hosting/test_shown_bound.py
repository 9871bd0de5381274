"""Tests of the page that shows hosts what scores reveal; its rows are shared, those of `test_leak_bound` are not."""

import re

import pytest

from challenges.hosting.leak_bound import bound_leak

pytestmark = pytest.mark.django_db


def test_hosts_are_shown_the_bound(client, arena):
    leak = bound_leak(arena.phase)
    client.force_login(arena.people["owner"])

    page = client.get("/challenges/captions/host/").content.decode()

    table = page.split('id="leaks"')[1].split("</table>")[0]
    (row,) = (each for each in table.split("<tr>") if '"row">Test<' in each)
    cells = re.findall(r"<td[^>]*>([^<]*)</td>", row)
    assert cells == [
        f"{leak.per_submission:,.1f}",
        f"{leak.n_submissions:,}",
        f"{leak.per_team:,.0f}",
        f"{leak.in_all:,.0f}",
    ]
