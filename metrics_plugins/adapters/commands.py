"""An adapter for programs that read and write lines of JSON, such as jars and scripts."""

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from threading import Lock
from time import monotonic
from typing import Any, Final, Unpack

from metrics_plugins.adapters.adapted import Adaptation, AdaptedMetric, Row, list_rows, make_class
from metrics_plugins.adapters.declaring import Declaration, declare, list_options
from metrics_plugins.adapters.programs import Program, ProgramFailed
from metrics_plugins.api import Batch, Metric, MetricError, Scores
from metrics_plugins.api.errors import MissingResource
from metrics_plugins.api.resources import Resource
from metrics_plugins.api.signature import SignatureValue, format_value

_SHOWN: Final = 300
_RULE: Final = "one line, a JSON object with the `id` that was sent and a finite `score` (or null)"


class CommandFailed(MetricError):
    """A program gave no valid answer; the message contains the request and the answer."""


@dataclass(frozen=True, slots=True)
class Command:
    """How a program is started, and its time limits.

    Attributes:
        arguments: The program and its arguments, which are not interpreted by a shell.
        start_seconds: The additional time for the first answer.
        line_seconds: The time limit for an answer.
        batch_seconds: The time limit for all answers of a batch, excluding the start; None for no limit.
    """

    arguments: tuple[str, ...]
    start_seconds: float
    line_seconds: float
    batch_seconds: float | None


def adapt_command(
    arguments: Sequence[str],
    *,
    reads_references: bool = True,
    options: Mapping[str, SignatureValue] | None = None,
    resources: tuple[str | Resource, ...] = (),
    start_seconds: float = 60.0,
    line_seconds: float = 10.0,
    batch_seconds: float | None = None,
    **declaration: Unpack[Declaration],
) -> type[Metric]:
    """Return a segment-level metric that sends candidates one by one to a running program.

    The program reads a line such as `{"id": 0, "candidate": "a dog", "references": ["a dog runs"]}`, writes
    `{"id": 0, "score": 0.5}` and flushes its output, and exits at the end of its input. The input is ASCII. A score of
    `null` is undefined (NaN). A row without references is not sent and has no score (NaN).

    The program is started for the first row, in the process that scores. It is killed, with its process group, when an
    answer is late or invalid, when the metric is no longer used, and when Python ends; the next batch starts it again.
    Error messages include the end of its output to standard error.

    Args:
        arguments: The program and its arguments, which are not interpreted by a shell.
        reads_references: If false, the metric declares no references, and [] is sent.
        options: Parameters of the metric with these defaults, passed to the program as arguments `--name=value`.
        resources: What the program needs, as in `MetricInfo`, such as `Resource("Java", programs=("java",), ...)`.
        start_seconds: The additional time for the first answer.
        line_seconds: The time limit for an answer.
        batch_seconds: The time limit for all answers of a batch, excluding the start; None for no limit.
        declaration: The fields of `Declaration`.

    Raises:
        ValueError: A field of the declaration is invalid, or no program is given.
    """
    info = declare(reads_references=reads_references, resources=resources, **declaration)
    if isinstance(arguments, str) or not arguments:
        raise ValueError(
            f"the command of metric {info.id!r} must be a list: a program and its arguments, got {arguments!r}"
        )
    command = Command(tuple(map(str, arguments)), start_seconds, line_seconds, batch_seconds)
    parameters = list_options(options or {})
    return make_class(Adaptation(CommandMetric, source=command, info=info, parameters=parameters))


class CommandMetric(AdaptedMetric):
    """Sends each row to the program and waits for its answer."""

    def __init__(self, params: Mapping[str, SignatureValue], *, device: str) -> None:
        super().__init__(params, device=device)
        self._program: Program | None = None
        # The program can only process one request at a time, from any thread.
        self._lock = Lock()

    def score(self, batch: Batch) -> Scores:
        """Return the program's scores.

        Raises:
            MissingResource: The program cannot be started.
            CommandFailed: An answer is late, invalid or missing; the program is then killed.
        """
        rows = list_rows(batch, self.info)
        if not any(rows):
            return Scores.make(batch.keys, [math.nan] * len(rows))
        with self._lock:
            return Scores.make(batch.keys, self._score_rows(rows))

    def _score_rows(self, rows: Sequence[Row | None]) -> list[float]:
        command: Command = self.adaptation.source
        program = self._open()
        # The first answer of a program includes its start.
        grace = 0.0 if program.has_answered else command.start_seconds
        end = math.inf if command.batch_seconds is None else monotonic() + grace + command.batch_seconds
        values = []
        for number, row in enumerate(rows):
            limit = command.line_seconds + (0.0 if program.has_answered else grace)
            answer = math.nan if row is None else self._ask(program, number, row, end=min(end, monotonic() + limit))
            values.append(answer)
        return values

    def _open(self) -> Program:
        """Return the program, after starting it if this process has not."""
        if self._program is None or not self._program.is_usable:
            arguments = self.adaptation.source.arguments
            options = [f"--{name}={format_value(value)}" for name, value in self.params.items()]
            try:
                self._program = Program((*arguments, *options))
            except OSError as error:
                reason = error.strerror or str(error)
                raise MissingResource(f"metric {self.info.id!r} cannot start {arguments[0]!r}: {reason}") from error
        return self._program

    def _ask(self, program: Program, number: int, row: Row, *, end: float) -> float:
        candidate, references = row
        sent = json.dumps({"id": number, "candidate": candidate, "references": references})
        try:
            return _read_answer(program.ask(sent, end=end), number=number)
        except ProgramFailed as error:
            said = program.kill()
            raise CommandFailed(
                f"metric {self.info.id!r}: {' '.join(program.arguments)} {error}; it was sent {_cut(sent)}"
                + (f"; it said on standard error: {said}" if said else "")
            ) from error
        except BaseException:
            # After an interruption the next answer would belong to this request.
            program.kill()
            raise


def _read_answer(line: str, *, number: int) -> float:
    """Return the score in a line; raises `ProgramFailed` if the line is invalid."""
    refusal = ProgramFailed(f"must answer {_RULE}, but answered {_cut(line)!r}")
    try:
        answer: Any = json.loads(line)
        if type(answer["id"]) is not int or answer["id"] != number:
            raise refusal
        value = answer["score"]
        if value is None:
            return math.nan
        score = float(value) if type(value) in (int, float) else math.nan
    except (ValueError, KeyError, TypeError, OverflowError, RecursionError) as error:
        raise refusal from error
    if not math.isfinite(score):
        raise refusal
    return score


def _cut(text: str) -> str:
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}... ({len(text)} characters)"
