"""Attack: upload decompression bombs and huge images."""

import sqlite3
import sys
import time
import zipfile
from contextlib import closing
from io import BytesIO
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from PIL import Image

from tests.security.serving import Site

pytestmark = pytest.mark.slow
PASSWORD = "wide-open-meadow-7"
N_ZIPS = 8
MOST_PAGE_SECONDS = 3.0
MOST_MIB = 1400
"""What a process of the site may hold: what it starts with, and what one upload may take."""

MAKE_ACCOUNTS = f"""
from django.contrib.auth.models import User
for number in range({N_ZIPS}):
    User.objects.create_user(f"attacker-{{number}}", password={PASSWORD!r})
User.objects.create_user("bystander", password={PASSWORD!r})
"""
COUNT_ENDED = "select count(*) from jobs_job where finished_at is not null"
WORDS = {"title": "Captions", "start": "preset:coco-m3"}
TABLE = ("items.csv", b"image,candidate\na,A dog.\n")


def make_parquet_bomb() -> bytes:
    """Return a Parquet file of less than 100 kB that stands for gigabytes: one long value, millions of rows."""
    codes = pa.array([0] * 3_000_000, pa.int32())
    column = pa.DictionaryArray.from_arrays(codes, pa.array(["A dog runs over the grass. " * 20]))
    buffer = BytesIO()
    pq.write_table(pa.table({"image": column, "candidate": column}), buffer, compression="zstd", write_statistics=False)
    return buffer.getvalue()


def make_picture_bomb() -> bytes:
    """Return a zip of some kB with three pictures of 49 megapixels each."""
    picture = BytesIO()
    Image.new("L", (7_000, 7_000)).save(picture, "PNG", compress_level=9)
    buffer = BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for name in ("a.png", "b.png", "c.png"):
            archive.writestr(name, picture.getvalue())
    return buffer.getvalue()


def list_processes(site: Site) -> list[int]:
    """Return all processes of a site, by the environment that they were started with."""
    mark = f"ACCORDANCE_VAR={site.folder}".encode()
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            if mark in (folder / "environ").read_bytes().split(b"\0"):
                found.append(int(folder.name))
        except OSError:
            continue
    return found


def measure_largest(site: Site) -> float:
    """Return the MiB that the largest process of the site holds."""
    sizes = [0.0]
    for pid in list_processes(site):
        try:
            sizes.append(int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * 4096 / 2**20)
        except OSError:
            continue
    return max(sizes)


def count_ended(site: Site) -> int:
    with closing(sqlite3.connect(site.folder / "db.sqlite3", timeout=60)) as database:
        return int(database.execute(COUNT_ENDED).fetchone()[0])


def send(site: Site, who: str, name: str, **files):
    browser = site.visit()
    browser.log_in(who, PASSWORD)
    browser.get("/studies/new/")
    sent = browser.post("/studies/new/", {**WORDS, "name": name}, files={"items": TABLE, **files})
    assert sent.status == 302, sent.text
    return browser, sent.location


def wait_and_visit(site: Site, bystander, n_jobs: int, seconds: float) -> tuple[float, float]:
    """Open pages until so many jobs have ended; return the slowest page's seconds and the largest process's MiB."""
    deadline, slowest, largest = time.monotonic() + seconds, 0.0, 0.0
    while time.monotonic() < deadline:
        began = time.monotonic()
        assert bystander.get("/studies/new/").status == 200
        slowest = max(slowest, time.monotonic() - began)
        for _ in range(10):
            largest = max(largest, measure_largest(site))
            time.sleep(0.1)
        if count_ended(site) >= n_jobs:
            return slowest, largest
    raise AssertionError(f"after {seconds} s not all uploads were looked at")


def test_bombs_hold_up_nobody_and_take_bounded_memory(start_site) -> None:
    site = start_site(background=1)
    site.call(MAKE_ACCOUNTS)
    table, pictures = make_parquet_bomb(), make_picture_bomb()
    assert (len(table) < 100_000, len(pictures) < 20_000) == (True, True)
    bystander = site.visit()
    bystander.log_in("bystander", PASSWORD)

    bomb = send(site, "attacker-0", "bomb", items=("items.parquet", table))
    zips = [
        send(site, f"attacker-{number}", f"pictures-{number}", images=("images.zip", pictures))
        for number in range(N_ZIPS)
    ]
    slowest, largest = wait_and_visit(site, bystander, N_ZIPS + 1, seconds=240)

    sys.stdout.write(f"the slowest page took {slowest:.2f} s, the largest process held {largest:.0f} MiB\n")
    assert slowest < MOST_PAGE_SECONDS
    assert largest < MOST_MIB
    browser, page = bomb
    assert "may hold at most 50,000 rows of an upload" in browser.get(page).text
    for browser, page in zips:
        assert "Create the study" in browser.get(page).text
