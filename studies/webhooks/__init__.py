"""Webhooks: signed messages to addresses that users give, sent without reaching anything but public hosts."""
