import multiprocessing
import stat

import pytest
from django.utils.crypto import salted_hmac

from config.secrets import find_secret, read_or_make_secret


def test_a_secret_is_made_once_and_private(tmp_path):
    path = tmp_path / "var" / "key"

    secret = read_or_make_secret(path)

    assert read_or_make_secret(path) == secret
    assert (len(secret), stat.S_IMODE(path.stat().st_mode)) == (64, 0o600)
    assert [file.name for file in path.parent.iterdir()] == ["key"]


def _read_each(paths, barrier, found):
    for path in paths:
        barrier.wait()
        found.put((path.name, read_or_make_secret(path)))


def test_processes_that_start_together_have_one_secret(tmp_path):
    paths, context = [tmp_path / f"key-{attempt}" for attempt in range(50)], multiprocessing.get_context("spawn")
    barrier, found = context.Barrier(3), context.SimpleQueue()
    processes = [context.Process(target=_read_each, args=(paths, barrier, found)) for _ in range(3)]
    for process in processes:
        process.start()

    secrets = {found.get() for _ in paths for _ in processes}

    for process in processes:
        process.join()
    assert sorted(name for name, _ in secrets) == sorted(path.name for path in paths)


def test_an_empty_file_is_no_secret(tmp_path):
    path = tmp_path / "key"
    path.touch()

    with pytest.raises(ValueError, match="must hold a secret, got an empty file"):
        read_or_make_secret(path)


def test_a_secret_is_made_when_it_is_first_used(tmp_path):
    path = tmp_path / "key"

    secret = find_secret("", path=path)

    assert not path.exists()
    assert (len(secret), str(secret)) == (64, path.read_text())
    assert salted_hmac("salt", "value", secret).digest() == salted_hmac("salt", "value", path.read_text()).digest()


def test_a_secret_that_is_given_is_never_stored(tmp_path):
    assert (find_secret("given", path=tmp_path / "key"), list(tmp_path.iterdir())) == ("given", [])
