"""A simulated batch panel, which shows the page of each row to workers and writes the submitted fields."""

import csv
import re
from html.parser import HTMLParser

from correlation.csv_lines import write_csv


class Page(HTMLParser):
    """The inputs of a page: what each field offers, and all that is shown as text."""

    def __init__(self, html):
        super().__init__()
        self.offers, self.texts, self.images, self.required = {}, [], [], []
        self.feed(html)

    def handle_starttag(self, tag, attributes):
        found = dict(attributes)
        if tag == "img":
            self.images.append(found["src"])
        if tag in ("input", "textarea"):
            self.offers.setdefault(found["name"], []).append(found.get("value", found.get("type", tag)))
            self.required.append("required" in found)

    def handle_data(self, data):
        self.texts.append(data)


def read_pages(folder, name="study"):
    """Return (row, page) of each task, put together as the panel does it: the values in place of their columns."""
    with (folder / f"{name}.csv").open(newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    template = (folder / f"{name}.html").read_text(encoding="utf-8")
    return [(row, Page(re.sub(r"\$\{(\w+)\}", lambda found, row=row: row[found[1]], template))) for row in rows]


def make_result(row, worker, answers, **changes):
    """Return one row of a results file; `changes` replace cells."""
    return {
        "HITId": f"H{row['task']}",
        "AssignmentId": f"A-{worker}-{row['task']}",
        "WorkerId": worker,
        "AssignmentStatus": "Submitted",
        "WorkTimeInSeconds": "40",
        **{f"Input.{name}": value for name, value in row.items()},
        **{f"Answer.{name}": value for name, value in answers.items()},
        **changes,
    }


def write_results(path, results):
    columns = list(dict.fromkeys(name for result in results for name in result))
    rows = ([result.get(name, "") for name in columns] for result in results)
    path.write_text("".join(write_csv(columns, rows)), encoding="utf-8", newline="")
    return path
