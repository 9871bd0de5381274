"""The versions of a study's design, and new ones."""

from django.utils import timezone
from rest_framework.request import Request
from rest_framework.response import Response

from studies.api.fetch import fetch_study, make_actor
from studies.api.serializers.studies import DesignSerializer, NewDesignSerializer
from studies.api.views.base import CONFIRM_DEVIATION, ApiView, describe, list_of
from studies.design.changes import change_design
from studies.design.design_files import read_fields
from studies.design.versions import list_versions
from studies.forms.confirming import read_confirmation
from studies.rules import CHANGE_STUDY
from studies.shared.errors import SourceLocation


class VersionList(ApiView):
    """The versions of a design."""

    @list_of(DesignSerializer, "List the versions of the design\nNewest first; the newest is in force.")
    def get(self, request: Request, name: str) -> Response:
        return self.answer_page(list_versions(fetch_study(request, name)), DesignSerializer, request)

    @describe(
        "Create the next version of the design\nWith these fields changed; if nothing changes, the newest version is "
        "returned.",
        body=NewDesignSerializer,
        example={"changes": {"raters_per_task": 3, "pay": {"reward": 1.5, "hourly_wage": 12}}},
        answer=DesignSerializer,
        status=201,
        parameters=CONFIRM_DEVIATION,
    )
    def post(self, request: Request, name: str) -> Response:
        study = fetch_study(request, name, CHANGE_STUDY)
        changes = read_fields(
            self.read(NewDesignSerializer, request).validated_data["changes"], SourceLocation("the changes")
        )
        actor = make_actor(request)
        made = change_design(
            study,
            changes=changes,
            now=timezone.now(),
            actor=actor,
            user=actor.user,
            confirmation=read_confirmation(request.query_params),
        )
        shown = made or list_versions(study).first()
        return Response(DesignSerializer(shown).data, status=201 if made else 200)
