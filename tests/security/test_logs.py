"""Tests that the logs of a served site contain no ids of panels, tokens or addresses of visitors."""

import re

from tests.security.raters import PanelRater, make_prolific

MAKE = """
from studies.design.study_design import Panel
from tests.factories.open_studies import make_open_study
print(make_open_study("logged", panel=Panel("prolific", codes={"finished": "DONE1"})).join_token)
"""
BREAK = "from django.db import connection; connection.cursor().execute('ALTER TABLE studies_task RENAME TO gone')"
ADDRESSES = ("203.0.113.77", "2001:db8:1:2:3:4:5:77")
KEY, CODE = "c9x2-planted-key", "planted-code-of-the-provider"
SECRET_ADDRESSES = (
    f"/account/password/reset/a-{KEY}/",
    f"/account/email/{KEY}/confirm/",
    f"/account/oidc/sso/login/callback/?code={CODE}&state={CODE}",
)
PERSON, VISIT = "5f00000000000000000000aa", "session-of-a-person"


def test_logs_of_a_served_site_name_nobody(start_site, tmp_path, capfd) -> None:
    requests = tmp_path / "access.log"
    site = start_site(GUNICORN_CMD_ARGS=f"--access-logfile {requests} --log-level debug")
    (token,) = site.call(MAKE)
    rater = PanelRater(site, token, address=ADDRESSES[0])
    rater.join(make_prolific(PERSON, session=VISIT))
    page = rater.open("task")
    links = re.findall(
        rf"/r/{token}/resume/[^\s\"'<]+", page.text + rater.open("pause").text + rater.open("leave").text
    )
    assert links
    stranger = site.visit(address=ADDRESSES[1])
    answers = [
        # A form without the token against forgery, one of the wrong type, an unknown address, a host that is none.
        stranger.send("POST", f"/r/{token}/task/1/", data={"x": PERSON}),
        stranger.send("POST", f"/r/{token}/", json={"PROLIFIC_PID": PERSON}),
        stranger.get(f"/r/{token}/resume/{VISIT}/"),
        stranger.get(f"/r/{token}/", headers={"Host": "elsewhere.example"}),
        # Links of mails, and what a provider of single sign-on sends back.
        *(stranger.get(address) for address in SECRET_ADDRESSES),
        # The rater's own link, which lets a stranger in.
        stranger.get(links[0]),
    ]
    site.call(BREAK)
    broken = rater.open("task")

    said = capfd.readouterr().err + requests.read_text()

    assert broken.status == 500
    assert [page.status for page in answers] == [403, 415, 404, 400, 404, 404, 404, 302]
    # Something is logged of each kind: a refusal, an error with its traceback, and requests.
    assert "refused POST annotation_ui:" in said
    assert "Internal Server Error: /r/[…]" in said
    assert "no such table" in said
    assert len(requests.read_text().splitlines()) > 8
    secrets = (PERSON, VISIT, KEY, CODE, token, *ADDRESSES, *(link.rpartition("/resume/")[2] for link in links))
    assert [secret for secret in secrets if secret in said] == []
