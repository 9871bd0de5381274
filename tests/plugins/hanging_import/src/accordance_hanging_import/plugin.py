"""Waits for something that never comes, while it is imported."""

import time

while True:
    time.sleep(60)
