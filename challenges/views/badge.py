"""The badge of a team in a phase, for pages elsewhere."""

from hashlib import sha256
from typing import Final

from django.contrib.auth.models import AnonymousUser
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.template.loader import render_to_string
from django.utils import timezone
from django.utils.cache import get_conditional_response
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_safe

from challenges.board.badge import find_badge
from challenges.models import Phase, Team
from challenges.taking_part.visibility import visible_challenges

MAX_AGE: Final = 300


@require_safe
@cache_control(public=True, max_age=MAX_AGE)
def draw_badge(request: HttpRequest, slug: str, phase: str, team: int) -> HttpResponse:
    """Draw what everybody may see, whoever asks: any proxy may keep it."""
    challenge = get_object_or_404(visible_challenges(AnonymousUser()), slug=slug)
    found = get_object_or_404(Phase, challenge=challenge, slug=phase)
    found.challenge = challenge
    of = get_object_or_404(Team, challenge=challenge, pk=team)
    badge = find_badge(found, team=of, now=timezone.now())
    if badge is None:
        raise Http404("the rank of the team is not shown")
    picture = render_to_string("challenges/badge.svg", {"badge": badge})
    tag = f'"{sha256(picture.encode()).hexdigest()[:32]}"'
    drawn = HttpResponse(picture, content_type="image/svg+xml")
    response = get_conditional_response(request, etag=tag, response=drawn) or drawn
    response["ETag"] = tag
    return response
