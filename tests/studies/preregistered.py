"""Creates preregistrations even if there are judgments."""

from dataclasses import asdict

from studies.design.preregistration.declaration import AnalysisPlan, describe_study, write_canonical
from studies.models import Preregistration
from tests.factories.studies import NOW


def make_preregistration(study, *, digest="d", number=1, **planned):
    """Return the preregistration with this number, made if there is none; `planned` are fields of its plan."""
    plan = AnalysisPlan(study.protocol, "kendall-c", ("length",), "perm-both", 0.05, "holm", "When all is done.")
    declared = write_canonical(describe_study(study) | {"plan": asdict(plan) | planned})
    given = {"content": declared, "digest": digest, "frozen_at": NOW}
    return Preregistration.objects.get_or_create(study=study, number=number, defaults=given)[0]
