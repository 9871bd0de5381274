"""What a design costs, as far as it is known before anybody has judged."""

from dataclasses import dataclass

from studies.design.study_design import StudyDesign


@dataclass(frozen=True, slots=True)
class CostEstimate:
    """The expected effort and cost of a study if every task is judged as planned.

    Attributes:
        currency: The ISO 4217 code.
        n_judged_tasks: Main tasks times raters per task.
        n_raters: The least number of raters.
        n_sessions: The number of sessions that are paid.
        session_minutes: The expected duration of a session; None if the duration of a task is unknown.
        hourly: The reward per hour of expected work; None if the duration is unknown.
        rewards: The rewards of all sessions.
        top_ups: What is added to reach the minimum hourly wage.
        fees: The fee of the panel.
        total: All of it.
        budget: The limit; 0 for none.
        hourly_wage: The promised minimum per hour; 0 for none.
    """

    currency: str
    n_judged_tasks: int
    n_raters: int
    n_sessions: int
    session_minutes: float | None
    hourly: float | None
    rewards: float
    top_ups: float
    fees: float
    total: float
    budget: float
    hourly_wage: float

    @property
    def is_above_budget(self) -> bool:
        """Whether the total is more than the budget."""
        return bool(self.budget) and self.total > self.budget

    @property
    def is_below_wage(self) -> bool:
        """Whether the reward alone pays less than the minimum hourly wage."""
        return self.hourly is not None and self.hourly < self.hourly_wage


def estimate_cost(design: StudyDesign, *, n_tasks: int) -> CostEstimate:
    """Return the cost of a design with this number of main tasks, all judged and in full sessions.

    >>> from studies.design.study_design import Pay
    >>> pay = Pay("EUR", reward=0.5, hourly_wage=12.0, fee_share=0.2)
    >>> design = StudyDesign(raters_per_task=3, tasks_per_session=20, task_seconds=15, pay=pay)
    >>> cost = estimate_cost(design, n_tasks=40)
    >>> cost.n_sessions, cost.session_minutes, cost.rewards, cost.top_ups, round(cost.total, 2)
    (6, 5.0, 3.0, 3.0, 7.2)
    """
    pay = design.pay
    n_judged = n_tasks * design.raters_per_task
    per_rater = max(1, min(n_tasks, design.tasks_per_rater or n_tasks))
    per_session = max(1, min(per_rater, design.tasks_per_session or per_rater))
    n_sessions = -(-n_judged // per_session)
    hours = n_judged * design.task_seconds / 3600 if design.task_seconds else None
    rewards = n_sessions * pay.reward
    top_ups = max(0.0, pay.hourly_wage * hours - rewards) if hours else 0.0
    fees = (rewards + top_ups) * pay.fee_share
    return CostEstimate(
        currency=pay.currency,
        n_judged_tasks=n_judged,
        n_raters=max(design.raters_per_task, -(-n_judged // per_rater)) if n_tasks else 0,
        n_sessions=n_sessions,
        session_minutes=per_session * design.task_seconds / 60 if design.task_seconds else None,
        hourly=rewards / hours if hours else None,
        rewards=rewards,
        top_ups=top_ups,
        fees=fees,
        total=rewards + top_ups + fees,
        budget=pay.budget,
        hourly_wage=pay.hourly_wage,
    )
