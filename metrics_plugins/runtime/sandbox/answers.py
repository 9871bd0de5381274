"""Handle the requests to a sandboxed process: list, prepare, fit, score and check metrics."""

import pickle
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from metrics_plugins.api import Batch
from metrics_plugins.api.errors import MissingResource
from metrics_plugins.api.paths import list_path_kinds
from metrics_plugins.runtime import Registry, load_registry
from metrics_plugins.runtime.checks import CHECKS, CheckCase
from metrics_plugins.runtime.chunks import encode_result, score_metric
from metrics_plugins.runtime.failures import explain_failure, find_row
from metrics_plugins.runtime.file_roots import FileRoots
from metrics_plugins.runtime.preparing import Learning, PreparedMetric
from metrics_plugins.runtime.sandbox.catalog import describe_registration, entry_to_json
from metrics_plugins.runtime.sandbox.frames import Message


class Answering:
    """Handles one message at a time; exceptions of a plugin are returned as error messages."""

    def __init__(self) -> None:
        self._registry: Registry | None = None
        self._prepared: dict[str, PreparedMetric] = {}
        self._reading: dict[str, str] = {}
        self._learning = Learning(_tell_nothing_to_learn)
        self._batch: Batch | None = None
        self._questions: Mapping[str, Callable[[Message], Message]] = {
            "load": self._load,
            "judgments": self._take_judgments,
            "prepare": self._prepare,
            "documents": self._take_documents,
            "batch": self._take_batch,
            "fit": self._fit,
            "score": self._score,
            "list-checks": self._list_checks,
            "check": self._check,
        }

    def answer(self, message: Message) -> Message:
        reply = self._try(message)
        # Error messages of a metric could reveal the contents or path of a file, so they are replaced.
        told = self._reading.get(message.fields.get("metric", ""))
        return Message({**reply.fields, "error": told}) if told and "error" in reply.fields else reply

    def _try(self, message: Message) -> Message:
        try:
            return self._questions[message.fields["ask"]](message)
        except MissingResource as error:
            return Message({"error": str(error), "lacks_resource": True})
        except MemoryError as error:
            return Message(
                {"error": f"MemoryError: not enough memory within its limit {error}".strip(), "broken": True}
            )
        except SystemExit as error:
            return Message({"error": f"SystemExit: it tried to end its process with code {error.code}"})
        except Exception as error:
            reason = explain_failure(error, module=self._find_module(message))[:5000]
            return Message({"error": reason, "row": find_row(error)})

    def _find_module(self, message: Message) -> str:
        known = self._registry.metrics if self._registry else {}
        registered = known.get(message.fields.get("metric", ""))
        return registered.module if registered else ""

    @property
    def _plugins(self) -> Registry:
        if self._registry is None:
            raise RuntimeError("no plugins were loaded: ask `load` first")
        return self._registry

    def _load(self, message: Message) -> Message:
        """Load the plugins given by `outside`, `blocked` and `folder`; return the metrics and the refused plugins."""
        fields = message.fields
        folder = Path(fields["folder"]) if fields.get("folder") else None
        # No file access by default, since sandboxed processes act for users of the web pages.
        folders = fields.get("files", ())
        files = FileRoots(None if folders is None else tuple(map(Path, folders)))
        self._registry = load_registry(
            blocked=fields.get("blocked", ()), outside=fields["outside"], folder=folder, files=files
        )
        told = [entry_to_json(describe_registration(each)) for each in self._registry]
        refused = [[each.plugin, each.distribution, each.reason] for each in self._registry.refused]
        return Message({"metrics": told, "refused": refused})

    def _prepare(self, message: Message) -> Message:
        """Build `metric` with `params` on `device`; return its signature, precision and whether it is fitted.

        The signature of a metric that learns from judgments covers those received before.
        """
        fields = message.fields
        self._note_files(fields["metric"], fields.get("params", {}))
        built = self._plugins.build(fields["metric"], device=fields.get("device", "cpu"), **fields.get("params", {}))
        prepared = self._prepared[fields["metric"]] = PreparedMetric(built, self._learning)
        told = {"signature": prepared.signature, "is_fitted": prepared.is_fitted, "precision": prepared.precision}
        return Message(told)

    def _note_files(self, metric: str, params: Mapping[str, Any]) -> None:
        self._reading.pop(metric, None)
        files = self._plugins.files
        if files.folders is None:
            return
        kinds = list_path_kinds(self._plugins.get(metric).metric_class.build)
        named = {name: kind for name, kind in kinds.items() if isinstance(params.get(name), str) and params[name]}
        for name, kind in named.items():
            # Raises its own message on refusal, which does not reveal what exists.
            files.resolve(name, kind, params[name])
        if named:
            self._reading[metric] = (
                f"metric {metric} cannot work with what is named by {', '.join(named)}: each must hold what the metric "
                "reads (docs/plugins.md says what)"
            )

    def _take_judgments(self, message: Message) -> Message:
        """Store the judged rows that metrics learn from, and the image keys of the rows to be scored."""
        judged, scored = pickle.loads(message.blob)  # noqa: S301 - from whoever guards this process
        self._learning = replace(self._learning, judged=judged, scored_images=scored)
        return Message({})

    def _take_documents(self, message: Message) -> Message:
        """Store the batch that metrics are fitted on."""
        documents = pickle.loads(message.blob)  # noqa: S301 - from whoever guards this process
        self._learning = replace(self._learning, make_documents=lambda: documents)
        return Message({})

    def _take_batch(self, message: Message) -> Message:
        """Store the batch to be scored next."""
        self._batch = pickle.loads(message.blob)  # noqa: S301
        return Message({})

    def _fit(self, message: Message) -> Message:
        """Fit `metric` on the judgments or the documents, if it needs fitting."""
        name = message.fields["metric"]
        self._prepared[name] = replace(self._prepared[name], learning=self._learning)
        _ = self._prepared[name].ready
        return Message({})

    def _score(self, message: Message) -> Message:
        """Score the batch, which may be part of an input, with `metric`; return `encode_result`."""
        if self._batch is None:
            raise RuntimeError("there is nothing to score: ask `batch` first")
        name, is_part = message.fields["metric"], bool(message.fields.get("is_part"))
        metric = self._prepared[name].ready
        return Message(*encode_result(score_metric(metric, self._batch, name=name, index=0, is_part=is_part)))

    def _list_checks(self, message: Message) -> Message:
        """Return the checks that apply to `metric`, each with its clause."""
        metric_class = self._plugins.get(message.fields["metric"]).metric_class
        return Message({"checks": [[each.name, each.clause] for each in CHECKS if each.applies(metric_class)]})

    def _check(self, message: Message) -> Message:
        """Run the check `name` on `metric`; return the failure message, "" if the check passed."""
        metric_class = self._plugins.get(message.fields["metric"]).metric_class
        (check,) = [each for each in CHECKS if each.name == message.fields["name"]]
        result = CheckCase(check, metric_class, self._plugins, None).run()
        return Message({"message": result.message[:5000]})


def _tell_nothing_to_learn() -> Batch:
    raise RuntimeError("there is nothing to learn from: ask `documents` first")
