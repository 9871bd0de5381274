"""Offers of ownership of a study, which the other person accepts or declines."""

from django.http import Http404
from django.shortcuts import get_object_or_404
from django.utils import timezone
from rest_framework.request import Request
from rest_framework.response import Response

from studies.access.offers import decline_offer, find_offer, list_offers, offer_study, withdraw_offer
from studies.api.fetch import fetch_study, refuse_tokens, who_and_when
from studies.api.serializers.people import OfferSerializer, OwnerSerializer
from studies.api.views.base import ApiView, describe, list_of
from studies.datasets.quotas import accept_within_quota
from studies.models import StudyOffer
from studies.rules import MANAGE_STUDY


class Offer(ApiView):
    """The open offer of a study."""

    @describe("Show the open offer of the study", answer=OfferSerializer)
    def get(self, request: Request, name: str) -> Response:
        offer = find_offer(fetch_study(request, name, MANAGE_STUDY), now=timezone.now())
        if offer is None:
            raise Http404("There is no open offer for the study.")
        return Response(OfferSerializer(offer).data)

    @describe(
        "Offer ownership of the study\nNothing changes until the other user accepts.",
        body=OwnerSerializer,
        example={"username": "ada"},
        answer=OfferSerializer,
        status=201,
    )
    def post(self, request: Request, name: str) -> Response:
        study = fetch_study(request, name, MANAGE_STUDY)
        username = self.read(OwnerSerializer, request).validated_data["username"]
        offer = offer_study(study, username=username, **who_and_when(request))
        return Response(OfferSerializer(offer).data, status=201)

    @describe("Withdraw the offer of ownership", answer=None, status=204)
    def delete(self, request: Request, name: str) -> Response:
        study = fetch_study(request, name, MANAGE_STUDY)
        withdraw_offer(study, **who_and_when(request))
        return Response(status=204)


class OfferList(ApiView):
    """The studies offered to an account."""

    @list_of(OfferSerializer, "List studies offered to you\nNeeds a login.")
    def get(self, request: Request) -> Response:
        refuse_tokens(request)
        return self.answer_page(list_offers(request.user, now=timezone.now()), OfferSerializer, request)


class AcceptedOffer(ApiView):
    """The acceptance of an offer."""

    @describe("Accept a study\nYou then own the study. Needs a login.", answer=None, status=204)
    def post(self, request: Request, pk: int) -> Response:
        accept_within_quota(_fetch(request, pk), **who_and_when(request))
        return Response(status=204)


class DeclinedOffer(ApiView):
    """The refusal of an offer."""

    @describe("Decline a study\nNeeds a login.", answer=None, status=204)
    def post(self, request: Request, pk: int) -> Response:
        decline_offer(_fetch(request, pk), **who_and_when(request))
        return Response(status=204)


def _fetch(request: Request, pk: int) -> StudyOffer:
    refuse_tokens(request)
    return get_object_or_404(list_offers(request.user, now=timezone.now()), pk=pk)
