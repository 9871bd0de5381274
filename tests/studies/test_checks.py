"""Tests of `check --deploy` for the identity key and the log of erasures."""

import pytest

from studies.checks import check_erasure_log, check_identity_key, check_shared_services

GOOD = "Zr3kq0wN8yTgVb5LxHcJm2PsUaEdFi7RoC1K"
"""36 letters, made at random."""


@pytest.fixture
def _from_environment(monkeypatch) -> None:
    monkeypatch.setenv("ACCORDANCE_IDENTITY_KEY", "set")


def _check(settings, key: str, *older: str) -> list[str]:
    settings.ACCORDANCE_IDENTITY_KEY, settings.ACCORDANCE_IDENTITY_KEY_FALLBACKS = key, list(older)
    return [warning.id for warning in check_identity_key(app_configs=None)]


@pytest.mark.usefixtures("_from_environment")
@pytest.mark.parametrize(
    ("key", "expected"),
    [
        (GOOD, []),
        (GOOD[:31], ["accordance.W001"]),
        ("ab" * 30, ["accordance.W001"]),
        (f"CHANGE-ME{GOOD}", ["accordance.W001"]),
    ],
)
def test_weak_identity_keys_are_reported(settings, key: str, expected: list[str]) -> None:
    assert _check(settings, key) == expected


@pytest.mark.usefixtures("_from_environment")
def test_the_identity_key_must_differ_from_other_secrets(settings) -> None:
    settings.SECRET_KEY = GOOD

    assert _check(settings, GOOD) == ["accordance.W002"]
    assert _check(settings, GOOD[::-1], GOOD[::-1]) == ["accordance.W002", "accordance.W004"]


def test_key_in_a_file_beside_the_data_is_warned_of(settings, monkeypatch) -> None:
    monkeypatch.delenv("ACCORDANCE_IDENTITY_KEY", raising=False)

    assert _check(settings, GOOD) == ["accordance.W003"]


@pytest.mark.usefixtures("_from_environment")
def test_change_that_has_not_ended_is_warned_of(settings) -> None:
    assert _check(settings, GOOD, GOOD[::-1]) == ["accordance.W004"]


def test_a_default_location_of_the_log_of_erasures_gives_a_warning(settings, tmp_path, monkeypatch) -> None:
    settings.ACCORDANCE_ERASURES = str(tmp_path / "erasures.jsonl")
    monkeypatch.delenv("ACCORDANCE_ERASURES", raising=False)

    assert [one.id for one in check_erasure_log(app_configs=None)] == ["accordance.W005"]


def test_log_of_erasures_must_be_writable(settings, tmp_path, monkeypatch) -> None:
    monkeypatch.setenv("ACCORDANCE_ERASURES", "set")
    settings.ACCORDANCE_ERASURES = str(tmp_path / "made" / "later" / "erasures.jsonl")
    assert check_erasure_log(app_configs=None) == []

    settings.ACCORDANCE_ERASURES = str(tmp_path)
    (refusal,) = check_erasure_log(app_configs=None)
    assert (refusal.id, refusal.msg) == ("accordance.E001", f"ACCORDANCE_ERASURES cannot be written here: {tmp_path}")


@pytest.mark.parametrize(
    ("storage", "redis", "secret", "engine", "expected"),
    [
        ("", "", "", "config.sqlite", []),
        ("s3://lab", "redis://10.0.0.5", "set", "config.postgresql", []),
        ("", "redis://10.0.0.5", "set", "config.postgresql", ["accordance.W006"]),
        ("s3://lab", "", "set", "config.postgresql", ["accordance.W007"]),
        ("s3://lab", "redis://10.0.0.5", "", "config.sqlite", ["accordance.E002", "accordance.E003"]),
    ],
)
def test_what_several_servers_do_not_share_is_reported(
    settings, monkeypatch, storage: str, redis: str, secret: str, engine: str, expected: list[str]
) -> None:
    settings.ACCORDANCE_STORAGE, settings.ACCORDANCE_REDIS = storage, redis
    monkeypatch.setitem(settings.DATABASES["default"], "ENGINE", engine)
    monkeypatch.setenv("SECRET_KEY", secret)

    assert [each.id for each in check_shared_services()] == expected
