"""Tests of signatures, by the example of Standard Webhooks and by what a receiver computes."""

import base64
import hashlib
import hmac
from datetime import UTC, datetime

from studies.webhooks.signing import PREFIX, make_secret, sign
from tests.factories.studies import NOW


def test_the_published_example():
    """From the specification's reference libraries."""
    body = b'{"test": 2432232314}'
    secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
    now = datetime.fromtimestamp(1614265330, UTC)

    headers = sign(body, secret=secret, message="msg_p5jXN8AQM9LWM0D4loKWxJek", now=now)

    assert headers == {
        "webhook-id": "msg_p5jXN8AQM9LWM0D4loKWxJek",
        "webhook-timestamp": "1614265330",
        "webhook-signature": "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=",
    }


def test_each_secret_is_another_and_signs_everything():
    first, second = make_secret(), make_secret()
    assert first != second
    assert len(base64.b64decode(first.removeprefix(PREFIX))) == 32

    given = {"secret": first, "message": "msg_1", "now": NOW}
    signature = sign(b"{}", **given)["webhook-signature"]
    others = [
        sign(b"{ }", **given),
        sign(b"{}", **{**given, "secret": second}),
        sign(b"{}", **{**given, "message": "msg_2"}),
        sign(b"{}", **{**given, "now": datetime.fromtimestamp(NOW.timestamp() + 1, UTC)}),
    ]
    assert signature not in [each["webhook-signature"] for each in others]
    key = base64.b64decode(first.removeprefix(PREFIX))
    expected = hmac.new(key, f"msg_1.{int(NOW.timestamp())}.{{}}".encode(), hashlib.sha256).digest()
    assert signature == f"v1,{base64.b64encode(expected).decode()}"
