import pytest
from django.contrib.auth.models import User

PAGE = "/sign-up/"
FILLED = {"username": "ada", "email": "ada@example.org", "password1": "correct-horse-7", "password2": "correct-horse-7"}


@pytest.fixture
def open_to_all(settings):
    settings.ACCORDANCE_SIGN_UP = "open"


@pytest.mark.django_db
def test_whoever_signs_up_is_logged_in_at_an_empty_list(client, open_to_all):
    response = client.post(PAGE, FILLED, follow=True)

    assert response.redirect_chain == [("/studies/", 302)]
    assert "You do not own any studies" in response.content.decode()
    user = User.objects.get()
    assert (user.username, user.email, user.is_staff, user.is_superuser) == ("ada", "ada@example.org", False, False)
    assert user.check_password("correct-horse-7")


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("changed", "words"),
    [
        ({"email": ""}, "This field is required."),
        ({"password2": "another"}, "The two password fields didn’t match."),  # noqa: RUF001 - Django's apostrophe
        ({"password1": "password", "password2": "password"}, "This password is too common."),
    ],
)
def test_what_is_wrong_is_said_and_makes_nobody(client, open_to_all, changed, words):
    response = client.post(PAGE, FILLED | changed)

    assert response.status_code == 422
    assert words in response.content.decode().replace("&#x27;", "'")
    assert not User.objects.exists()


@pytest.mark.django_db
def test_nobody_signs_up_where_it_is_closed(client, settings):
    settings.ACCORDANCE_SIGN_UP = "closed"

    assert client.post(PAGE, FILLED).status_code == 404
    assert "Sign up" not in client.get("/login/").content.decode()
    assert not User.objects.exists()


@pytest.mark.django_db
@pytest.mark.parametrize(("word", "n_users"), [("swordfish", 1), ("tuna", 0), ("", 0)])
def test_the_invited_know_the_word(client, settings, word, n_users):
    settings.ACCORDANCE_SIGN_UP, settings.ACCORDANCE_SIGN_UP_WORD = "invited", "swordfish"

    client.post(PAGE, FILLED | {"word": word})

    assert User.objects.count() == n_users


@pytest.mark.django_db
def test_an_invitation_without_a_word_is_closed(client, settings):
    settings.ACCORDANCE_SIGN_UP, settings.ACCORDANCE_SIGN_UP_WORD = "invited", ""

    assert client.get(PAGE).status_code == 404


@pytest.mark.django_db
def test_attempts_from_one_address_are_limited(client, open_to_all, settings):
    settings.ACCORDANCE_FAILED_LOGINS = 1

    client.post(PAGE, FILLED | {"password2": "another"})
    response = client.post(PAGE, FILLED)

    assert "Too many attempts." in response.content.decode()
    assert not User.objects.exists()


@pytest.mark.django_db
def test_login_offers_to_sign_up(client, open_to_all):
    assert '<a href="/sign-up/">Sign up</a>' in client.get("/login/").content.decode()
