"""Makes registrations without asking whether somebody has begun to judge."""

from dataclasses import asdict

from studies.design.registering import AnalysisPlan, describe_study, write_canonical
from studies.models import Registration
from tests.factories.studies import NOW


def make_registration(study, *, digest="d"):
    """Return the study's first registration, made if there is none."""
    plan = AnalysisPlan(study.protocol, "kendall-c", ("length",), "perm-both", 0.05, "holm", "When all is done.")
    declared = write_canonical(describe_study(study) | {"plan": asdict(plan)})
    given = {"content": declared, "digest": digest, "frozen_at": NOW}
    return Registration.objects.get_or_create(study=study, number=1, defaults=given)[0]
