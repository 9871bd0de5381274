import struct

import pytest

from metrics_plugins.runtime.sandbox.frames import Message, split_message


def test_messages_come_out_as_they_went_in():
    messages = [
        Message({"ask": "score", "metric": "bleu-1"}),
        Message({}, b"\x00\xff"),
        Message({"ü": [1.5, None]}, b""),
    ]
    buffer = bytearray(b"".join(message.encode() for message in messages))

    taken = [split_message(buffer) for _ in messages]

    assert taken == messages
    assert split_message(buffer) is None


def test_incomplete_messages_are_buffered():
    whole = Message({"ask": "load"}, b"bytes").encode()

    assert [split_message(bytearray(whole[:end])) for end in range(len(whole))] == [None] * len(whole)


def test_what_no_database_keeps_is_replaced_and_other_text_stays():
    buffer = bytearray(Message({"error": "a\x00b\ud83d", "lists": [{"\udc80": "\U0001f600\xa0\x1b"}]}).encode())

    assert split_message(buffer) == Message({"error": "a\ufffdb\ufffd", "lists": [{"\ufffd": "\U0001f600\xa0\x1b"}]})


@pytest.mark.parametrize(
    ("bytes_", "told"),
    [
        (struct.pack(">II", 2**31, 2**31), "a message of 4294967296 bytes"),
        (struct.pack(">II", 2, 0) + b"[]", "a message that is list"),
        (struct.pack(">II", 3, 0) + b"{x}", "Expecting property name"),
        (struct.pack(">II", 10**6, 0) + b"[" * 10**6, "a message that is too deep"),
    ],
)
def test_invalid_messages_are_refused(bytes_, told):
    with pytest.raises(ValueError, match=told):
        split_message(bytearray(bytes_))
