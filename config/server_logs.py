"""Gunicorn's logging of errors, and of requests if enabled, without personal data."""

from typing import Any

from gunicorn.glogging import Logger

from config.scrubbing import ScrubbingFormatter


class ScrubbingLogger(Logger):
    """Gunicorn's logger with the scrubbing formatter; used by the command `serve`."""

    def setup(self, cfg: Any) -> None:
        super().setup(cfg)
        for log in (self.error_log, self.access_log):
            for handler in log.handlers:
                known = handler.formatter
                handler.setFormatter(ScrubbingFormatter(known and known._fmt, known and known.datefmt))
