"""Sites for attacks, which are shared by the tests of a session; each test creates what it needs."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from tests.security.serving import Site, serve_site


@pytest.fixture(scope="session")
def served_site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """A site without workers of the background, for all tests of this process together; each makes its own study."""
    with serve_site(tmp_path_factory.mktemp("site")) as site:
        yield site


@pytest.fixture(scope="session")
def served_site_with_worker(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """A site with a worker of the background, for all tests of this process together."""
    with serve_site(tmp_path_factory.mktemp("site-with-worker"), background=1) as site:
        yield site


@pytest.fixture
def start_site(tmp_path: Path) -> Iterator[Callable[..., Site]]:
    """Start a site of the test's own, with settings of the test's own: `start_site(background=1, HTTPS="1")`."""
    with ExitStack() as sites:

        def start(**options: object) -> Site:
            folder = tmp_path / f"site-{len(list(tmp_path.iterdir()))}"
            folder.mkdir()
            return sites.enter_context(serve_site(folder, **options))

        yield start


@pytest.fixture(scope="module")
def share_site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[..., Site]]:
    """Return the site with these settings that the tests of a module share; each makes its own study."""
    made: dict[frozenset[tuple[str, str]], Site] = {}
    with ExitStack() as sites:

        def share(**settings: str) -> Site:
            key = frozenset(settings.items())
            if key not in made:
                made[key] = sites.enter_context(serve_site(tmp_path_factory.mktemp("site"), **settings))
            return made[key]

        yield share
