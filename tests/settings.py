"""The settings of test runs: those of production, with temporary files and a fast password hash."""

import os
from pathlib import Path

from tests.throw_away import make_throw_away

if "ACCORDANCE_VAR" not in os.environ:
    os.environ["ACCORDANCE_VAR"] = str(make_throw_away("test"))

from config.settings import *  # noqa: F403
from config.settings import CACHES, DATABASES, VAR_DIR

PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
if DATABASES["default"]["ENGINE"] == "config.sqlite":
    # A file, as in production: an in-memory database would share one connection between a server and its test.
    DATABASES["default"]["TEST"] = {"NAME": str(Path(VAR_DIR) / "test.sqlite3")}
    # Nothing has to outlive a failure of power, so nothing waits for the disk.
    DATABASES["default"]["OPTIONS"]["init_command"] = "PRAGMA journal_mode=WAL; PRAGMA synchronous=OFF;"
elif "ACCORDANCE_TEST_SOCKETS" in os.environ and os.environ["DATABASE_URL"] == os.environ["ACCORDANCE_TEST_POSTGRES"]:
    # Through its socket in a folder a statement takes both sides two thirds of the processor time that it takes by TCP.
    DATABASES["default"]["HOST"] = os.environ["ACCORDANCE_TEST_SOCKETS"]
# Test processes have databases of their own in which primary keys are the same: they may share nothing that is kept.
CACHES["default"] = {"BACKEND": "django.core.cache.backends.locmem.LocMemCache", "LOCATION": "default"}
# Every test client makes a handler of its own, which would list all static files: they are looked up when asked for.
WHITENOISE_AUTOREFRESH = True
