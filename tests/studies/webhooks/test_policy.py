"""Tests of the addresses of webhooks that are allowed."""

import pytest

from studies.webhooks.policy import LONGEST, Policy, Target, WebhookRefused, check_url, read_policy

ANY = Policy(hosts=frozenset({"*"}))
SOME = Policy(hosts=frozenset({"hooks.example.org"}), ports=frozenset({443, 8443}))


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("https://hooks.example.org", Target(host="hooks.example.org", port=443, path="/", has_tls=True)),
        ("https://Hooks.Example.ORG./a?b=c", Target(host="hooks.example.org", port=443, path="/a?b=c", has_tls=True)),
        ("https://hooks.example.org:8443/", Target(host="hooks.example.org", port=8443, path="/", has_tls=True)),
        ("HTTPS://hooks.example.org/%0a", Target(host="hooks.example.org", port=443, path="/%0a", has_tls=True)),
    ],
)
def test_allowed_addresses(url, expected):
    assert check_url(url, policy=SOME) == expected


@pytest.mark.parametrize(
    ("url", "rule"),
    [
        ("http://hooks.example.org/", "must begin with https"),
        ("ftp://hooks.example.org/", "must begin with https"),
        ("file:///etc/passwd", "must begin with https"),
        ("gopher://hooks.example.org/", "must begin with https"),
        ("//hooks.example.org/", "must begin with https"),
        ("hooks.example.org", "must begin with https"),
        ("https:///path", "must name a host"),
        ("https://", "must name a host"),
        ("https://user:secret@hooks.example.org/", "user name or password"),
        ("https://hooks.example.org@evil.example/", "user name or password"),
        ("https://hooks.example.org/#part", "fragment"),
        ("https://hooks.example.org:80/", "one of 443, 8443, got 80"),
        ("https://hooks.example.org:0/", "one of 443, 8443, got 0"),
        ("https://hooks.example.org:99999/", "malformed"),
        ("https://hooks.example.org:x/", "malformed"),
        ("https://[::1/", "malformed"),
        ("https://hooks.example.org\\.evil.example/", "backslashes"),
        ("https://hooks.example.org/a b", "spaces"),
        ("https://hooks.example.org/\r\nX-Header: 1", "spaces"),
        ("https://hooks.exam\tple.org/", "spaces"),
        ("https://hööks.example.org/", "ASCII"),
        ("https://hooks.example.org/" + "x" * LONGEST, "at most 500"),
        ("https://evil.example/", "does not allow webhooks to evil.example"),
        ("https://sub.hooks.example.org/", "does not allow"),
        ("https://hooks.example.org.evil.example/", "does not allow"),
        ("https://93.184.216.34/", "does not allow"),
    ],
)
def test_refused_addresses(url, rule):
    with pytest.raises(WebhookRefused, match=rule):
        check_url(url, policy=SOME)


@pytest.mark.parametrize("host", ["-a.example", "a..example", "a%2eexample", "[fe80::1%25eth0]", "[v1.x]", "a,b", "*"])
def test_hosts_must_be_names_or_addresses(host):
    with pytest.raises(WebhookRefused):
        check_url(f"https://{host}/", policy=ANY)


def test_nothing_is_allowed_by_default(settings):
    assert not read_policy().is_enabled
    with pytest.raises(WebhookRefused, match="turned off"):
        check_url("https://hooks.example.org/", policy=read_policy())

    settings.ACCORDANCE_WEBHOOK_HOSTS = [" Hooks.Example.org. ", ""]
    assert check_url("https://hooks.example.org/", policy=read_policy()).host == "hooks.example.org"
