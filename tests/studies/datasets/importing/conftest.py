"""Fixtures for imports, and a check that rejected imports leave nothing behind."""

import shutil
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from studies.datasets.importing.formats import import_data
from studies.datasets.importing.options import ImportOptions
from studies.datasets.importing.results import ImportResult
from studies.shared.errors import ImportFailed
from tests.row_counts import count_rows
from tests.studies.datasets.importing.cuts import cut_flickr8k, cut_pascal50s

NOW = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)

Import = Callable[..., ImportResult]
Refuse = Callable[..., str]


@pytest.fixture
def run_import(db: None) -> Import:
    """Import; called as `run_import("flickr8k-cf", source=..., study=...)`."""

    def run(name: str, *, owner: str | None = None, **options: Any) -> ImportResult:
        return import_data(name, options=ImportOptions(**options), now=NOW, owner=owner)

    return run


@pytest.fixture
def refuse(run_import: Import) -> Refuse:
    """Import something that must be refused with nothing written; return the message."""

    def run(name: str, **options: Any) -> str:
        before = count_rows()
        with pytest.raises(ImportFailed) as caught:
            run_import(name, **options)
        assert count_rows() == before
        message = str(caught.value)
        assert message.isprintable()
        return message

    return run


@pytest.fixture(scope="session")
def cuts(data_folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Cut once what each test copies."""
    folder = tmp_path_factory.mktemp("cuts")
    cut_flickr8k(data_folder, folder / "flickr8k")
    cut_pascal50s(data_folder, folder / "pascal50s")
    return folder


@pytest.fixture
def flickr8k(cuts: Path, tmp_path: Path) -> Path:
    """Twelve rows of each Flickr8k study, to be damaged."""
    return Path(shutil.copytree(cuts / "flickr8k", tmp_path / "flickr8k"))


@pytest.fixture
def pascal50s(cuts: Path, tmp_path: Path) -> Path:
    """Six pairs of PASCAL-50S, to be damaged."""
    return Path(shutil.copytree(cuts / "pascal50s", tmp_path / "pascal50s"))


@pytest.fixture(scope="session")
def spice_jar() -> Path:
    """COCO's own annotation files, which come in a jar of pycocoevalcap."""
    import pycocoevalcap

    return Path(pycocoevalcap.__path__[0]) / "spice" / "spice-1.0.jar"
