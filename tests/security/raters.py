"""Attackers as raters of a panel, each with a browser."""

from collections.abc import Mapping

from tests.security.client import Client, Page
from tests.security.serving import Site

STUDY_ID = "60" * 12


class PanelRater:
    """Somebody who comes to a study with what a panel puts into the address."""

    def __init__(self, site: Site, token: str, *, address: str = "127.0.0.1") -> None:
        self.client: Client = site.visit(address=address)
        self.path = f"/r/{token}/"

    def arrive(self, parameters: Mapping[str, str]) -> Page:
        """Open the study link as the panel would; redirects are followed."""
        return self.client.get(self.path, params=dict(parameters), follow=True)

    def join(self, parameters: Mapping[str, str]) -> Page:
        """Arrive and agree."""
        form = self.arrive(parameters).find_form(having="agrees")
        return self.client.submit(form, agrees="on")

    def open(self, page: str) -> Page:
        """Open a page of the study by its name, such as `task`."""
        return self.client.get(f"{self.path}{page}/", follow=True)

    def answer(self, page: Page) -> Page:
        """Answer the task of a page with the first choice of everything, and return what comes next."""
        form = page.find_form(leading_to="/task/")
        return self.client.submit(form, **{name: choices[0] for name, choices in form.choices.items()})


def make_prolific(pid: str, *, session: str) -> dict[str, str]:
    """Return the parameters that Prolific adds for a participant, whose id is given by its first digits."""
    return {"PROLIFIC_PID": pid * (24 // len(pid)), "STUDY_ID": STUDY_ID, "SESSION_ID": session}
