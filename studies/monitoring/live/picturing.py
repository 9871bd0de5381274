"""The two bar charts of the monitoring page, from its counts."""

from studies.monitoring.live.counting import MonitoringCounts
from studies.monitoring.live.drawing import BarChart, draw_bars


def picture_hours(counts: MonitoringCounts) -> BarChart:
    """Return judgments by hour."""
    values = [hour.n for hour in counts.hours]
    busiest = max(counts.hours, key=lambda hour: hour.n)
    text = (
        f"Bar chart of judgments by hour, from {counts.hours[0].start:%d %B %H:%M} on, UTC: {sum(values):,} in "
        f"{len(values)} hours, most ({busiest.n:,}) from {busiest.start:%H:%M}. All numbers are in the table below."
    )
    return draw_bars(values, [f"{hour.start:%H:%M}" for hour in counts.hours], text=text)


def picture_completion(counts: MonitoringCounts) -> BarChart:
    """Return how many items have so many judgments."""
    planned = counts.facts.design.raters_per_task
    done = sum(each.n_items for each in counts.completion if each.n_judgments >= planned)
    text = (
        f"Bar chart of items by their number of judgments: {done:,} of {counts.facts.n_items:,} items have all "
        f"{planned} that are planned. All numbers are in the table below."
    )
    return draw_bars(
        [each.n_items for each in counts.completion],
        [str(each.n_judgments) for each in counts.completion],
        text=text,
    )
