"""How gunicorn logs: its errors, and requests if somebody asks for them, without what leads to a person."""

from typing import Any

from gunicorn.glogging import Logger

from config.scrubbing import ScrubbingFormatter


class ScrubbingLogger(Logger):
    """Gunicorn's own logger; `serve` names it."""

    def setup(self, cfg: Any) -> None:
        super().setup(cfg)
        for log in (self.error_log, self.access_log):
            for handler in log.handlers:
                known = handler.formatter
                handler.setFormatter(ScrubbingFormatter(known and known._fmt, known and known.datefmt))
