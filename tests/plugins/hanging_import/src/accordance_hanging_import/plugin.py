"""Waits forever when it is imported."""

import time

while True:
    time.sleep(60)
