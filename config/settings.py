"""Settings; every choice of an operator comes from the environment (see docs/operations.md)."""

from pathlib import Path

import environ
from csp.constants import NONE, SELF

from config.origins import find_origin
from config.secrets import read_or_make_secret

BASE_DIR = Path(__file__).resolve().parent.parent
env = environ.Env()

VAR_DIR = Path(env("ACCORDANCE_VAR", default=str(BASE_DIR / "var")))
SECRET_KEY = env("SECRET_KEY", default="") or read_or_make_secret(VAR_DIR / "secret_key")
# Earlier ones, by which links in mails and secrets of second factors can still be read.
SECRET_KEY_FALLBACKS = env.list("SECRET_KEY_FALLBACKS", default=[])
# Encrypts who raters are and makes the hashes by which they are found (`studies.identity_keys`). Apart from SECRET_KEY,
# so that one can be changed without the other. The older keys are read until `rotate_identity_key` has been run.
ACCORDANCE_IDENTITY_KEY = env("ACCORDANCE_IDENTITY_KEY", default="") or read_or_make_secret(VAR_DIR / "identity_key")
ACCORDANCE_IDENTITY_KEY_FALLBACKS = env.list("ACCORDANCE_IDENTITY_KEY_FALLBACKS", default=[])
# Which erasures there were, by keyed hashes: outside of the database, since a backup put back brings the erased back.
ACCORDANCE_ERASURES = env("ACCORDANCE_ERASURES", default=str(VAR_DIR / "erasures.jsonl"))
DEBUG = env.bool("DEBUG", default=False)
ALLOWED_HOSTS = env.list("ALLOWED_HOSTS", default=["localhost", "127.0.0.1", "[::1]"])
CSRF_TRUSTED_ORIGINS = env.list("CSRF_TRUSTED_ORIGINS", default=[])

INSTALLED_APPS = [
    "django.contrib.admin",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "whitenoise.runserver_nostatic",
    "django.contrib.staticfiles",
    "csp",
    "django_htmx",
    "axes",
    "rest_framework",
    "drf_spectacular",
    "rules.apps.AutodiscoverRulesConfig",
    "jobs",
    "studies",
    "annotation_ui",
    # After ours, whose templates stand before theirs.
    "allauth",
    "allauth.account",
    "allauth.usersessions",
]
# A second factor for whoever wants one: codes of an app (TOTP), and codes on paper for when it is lost.
if env.bool("ACCORDANCE_TOTP", default=True):
    INSTALLED_APPS.append("allauth.mfa")
# Single sign-on by one provider of OpenID Connect: its address, and what it knows this site by.
ACCORDANCE_OIDC_SERVER = env("ACCORDANCE_OIDC_SERVER", default="").rstrip("/")
# Where the provider asks people to log in, if that is another host.
ACCORDANCE_OIDC_ORIGIN = env("ACCORDANCE_OIDC_ORIGIN", default=ACCORDANCE_OIDC_SERVER)
if ACCORDANCE_OIDC_SERVER:
    INSTALLED_APPS += ["allauth.socialaccount", "allauth.socialaccount.providers.openid_connect"]

MIDDLEWARE = [
    "django.middleware.security.SecurityMiddleware",
    "config.headers.PermissionsPolicyMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "csp.middleware.CSPMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "annotation_ui.views.refusals.RefusalMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "config.characters.NulMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "studies.access.accounts.sessions.IdleMiddleware",
    "allauth.account.middleware.AccountMiddleware",
    "axes.middleware.AxesMiddleware",
]

ROOT_URLCONF = "config.urls"
WSGI_APPLICATION = "config.wsgi.application"
ASGI_APPLICATION = "config.asgi.application"

TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "studies.context.offer_sign_up",
            ]
        },
    }
]

DATABASES = {"default": env.db("DATABASE_URL", default=f"sqlite:///{BASE_DIR / 'db.sqlite3'}")}
if DATABASES["default"]["ENGINE"] == "django.db.backends.sqlite3":
    # WAL lets raters read while one writes; IMMEDIATE makes a writer wait at its start instead of failing midway.
    # FULL, or a judgment that was acknowledged could be lost when the power fails.
    DATABASES["default"]["OPTIONS"] = {
        "transaction_mode": "IMMEDIATE",
        "timeout": 60,
        "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL;",
    }
else:
    # A new connection takes the server longer than the answer to most requests; one that broke is replaced.
    DATABASES["default"]["CONN_MAX_AGE"] = 60
    DATABASES["default"]["CONN_HEALTH_CHECKS"] = True
    if DATABASES["default"]["ENGINE"] == "django.db.backends.postgresql":
        DATABASES["default"]["ENGINE"] = "config.postgresql"
        # Statements that come again and again are parsed and planned once a connection. A pooler that gives
        # each transaction another connection must know of prepared statements.
        DATABASES["default"]["OPTIONS"] = {"server_side_binding": True, "prepare_threshold": 3}
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

AUTHENTICATION_BACKENDS = [
    "studies.access.accounts.backends.LimitedBackend",
    "rules.permissions.ObjectPermissionBackend",
]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": f"django.contrib.auth.password_validation.{name}", "OPTIONS": options}
    for name, options in (
        ("UserAttributeSimilarityValidator", {}),
        ("MinimumLengthValidator", {"min_length": env.int("ACCORDANCE_PASSWORD_LENGTH", default=12)}),
        ("CommonPasswordValidator", {}),
        ("NumericPasswordValidator", {}),
    )
]
# Whether a researcher may make an account of their own: "closed", "open", or "invited" with the word in SIGN_UP_WORD.
ACCORDANCE_SIGN_UP = env("ACCORDANCE_SIGN_UP", default="open" if DEBUG else "closed")
ACCORDANCE_SIGN_UP_WORD = env("ACCORDANCE_SIGN_UP_WORD", default="")
LOGIN_URL = "account_login"
LOGIN_REDIRECT_URL = "studies:list"
LOGOUT_REDIRECT_URL = "studies:list"
# Minutes after which a log-in ends that nothing was done with; 0 for never.
ACCORDANCE_IDLE_MINUTES = env.int("ACCORDANCE_IDLE_MINUTES", default=480)

# How mail is sent, as a URL such as smtp+tls://user:password@host:587; without one no mail is sent at all.
EMAIL_URL = env("EMAIL_URL", default="")
HAS_MAIL = bool(EMAIL_URL)
vars().update(env.email_url_config(EMAIL_URL or "dummymail://"))
EMAIL_TIMEOUT = 10
DEFAULT_FROM_EMAIL = SERVER_EMAIL = env("DEFAULT_FROM_EMAIL", default="accordance@localhost")
ACCOUNT_ADAPTER = "studies.access.accounts.adapters.AccountAdapter"
# An account that was made at the site must show that its address is its owner's; those that operators made need not.
ACCOUNT_EMAIL_VERIFICATION = "mandatory" if HAS_MAIL else "none"
ACCOUNT_EMAIL_NOTIFICATIONS = HAS_MAIL
ACCOUNT_SIGNUP_FIELDS = ["username*", "email*", "password1*", "password2*"]
ACCOUNT_EMAIL_SUBJECT_PREFIX = "[Accordance] "
ACCOUNT_MAX_EMAIL_ADDRESSES = 2
ACCOUNT_REAUTHENTICATION_REQUIRED = True
ACCOUNT_SESSION_REMEMBER = True
MFA_ADAPTER = "studies.access.accounts.second_factor.SecondFactorAdapter"
MFA_FORMS = {
    "authenticate": "studies.access.accounts.second_factor.LimitedAuthenticateForm",
    "reauthenticate": "studies.access.accounts.second_factor.LimitedReauthenticateForm",
}
MFA_SUPPORTED_TYPES = ["totp", "recovery_codes"]
MFA_TOTP_ISSUER = "Accordance"
# Where addresses are not confirmed at all, that cannot be asked for first.
MFA_ALLOW_UNVERIFIED_EMAIL = True
# Whether whoever the provider knows gets an account; else single sign-on is for accounts that were connected to it.
ACCORDANCE_OIDC_SIGN_UP = env.bool("ACCORDANCE_OIDC_SIGN_UP", default=False)
SOCIALACCOUNT_ADAPTER = "studies.access.accounts.sign_on.SignOnAdapter"
SOCIALACCOUNT_PROVIDERS = {
    "openid_connect": {
        "OAUTH_PKCE_ENABLED": True,
        "APPS": [
            {
                "provider_id": "sso",
                "name": env("ACCORDANCE_OIDC_NAME", default="single sign-on"),
                "client_id": env("ACCORDANCE_OIDC_CLIENT_ID", default=""),
                "secret": env("ACCORDANCE_OIDC_SECRET", default=""),
                "settings": {"server_url": ACCORDANCE_OIDC_SERVER},
            }
        ],
    }
}
ACCOUNT_DEFAULT_HTTP_PROTOCOL = "https" if env.bool("HTTPS", default=False) else "http"

# Of raters' pages (`annotation_ui.languages`); all others are in the first.
LANGUAGE_CODE = "en"
LANGUAGES = [("en", "English"), ("de", "German"), ("es", "Spanish"), ("zh-hans", "Simplified Chinese")]
LANGUAGE_COOKIE_NAME = "language"
# Before the texts that Django has in the same words for other places.
LOCALE_PATHS = [BASE_DIR / "annotation_ui" / "locale"]
TIME_ZONE = "UTC"
USE_I18N = True
USE_TZ = True

# What pages keep lies under a fingerprint of all that it depends on, and so is never old; it may be lost at any time.
CACHES = {
    # For all processes, workers too: reports, and how far their intervals are.
    "default": {
        "TIMEOUT": 7 * 24 * 3600,
        "OPTIONS": {"MAX_ENTRIES": 5000},
        **env.cache("CACHE_URL", default=f"filecache://{VAR_DIR / 'cache'}"),
    },
    # For this process: judgments and scores in columns, some 60 MB for 400,000 judgments with 20 metrics.
    "observations": {
        "BACKEND": "django.core.cache.backends.locmem.LocMemCache",
        "LOCATION": "observations",
        "TIMEOUT": 3600,
        "OPTIONS": {"MAX_ENTRIES": env.int("ACCORDANCE_KEPT_OBSERVATIONS", default=6)},
    },
}

STATIC_URL = "static/"
WHITENOISE_USE_FINDERS = True
MEDIA_ROOT = VAR_DIR / "media"
# Where what researchers upload waits, for a day at most, until they make a study of it; and how much one may send.
ACCORDANCE_UPLOADS = VAR_DIR / "uploads"
ACCORDANCE_UPLOAD_MB = env.int("ACCORDANCE_UPLOAD_MB", default=256)
# KiB of JSON of which a request to the API makes a study itself; what is larger is uploaded and read by a job.
ACCORDANCE_API_STUDY_KB = env.int("ACCORDANCE_API_STUDY_KB", default=1024)

# What one account may have at once: jobs that wait or run, studies that it owns, and MB of files; 0 for no limit.
ACCORDANCE_ACCOUNT_JOBS = env.int("ACCORDANCE_ACCOUNT_JOBS", default=20)
ACCORDANCE_ACCOUNT_STUDIES = env.int("ACCORDANCE_ACCOUNT_STUDIES", default=200)
ACCORDANCE_ACCOUNT_MB = env.int("ACCORDANCE_ACCOUNT_MB", default=8192)
# What ends the process that reads an upload: seconds, and MiB of memory (0 for no limit).
ACCORDANCE_UPLOAD_SECONDS = env.float("ACCORDANCE_UPLOAD_SECONDS", default=600.0)
ACCORDANCE_UPLOAD_MEMORY = env.int("ACCORDANCE_UPLOAD_MEMORY", default=1024)

# For how many days links to reports, tokens of programs and offers of a study are good, and may be good at most.
ACCORDANCE_LINK_DAYS = env.int("ACCORDANCE_LINK_DAYS", default=90)
ACCORDANCE_LINK_DAYS_MOST = env.int("ACCORDANCE_LINK_DAYS_MOST", default=365)
ACCORDANCE_TOKEN_DAYS = env.int("ACCORDANCE_TOKEN_DAYS", default=90)
ACCORDANCE_TOKEN_DAYS_MOST = env.int("ACCORDANCE_TOKEN_DAYS_MOST", default=365)
ACCORDANCE_OFFER_DAYS = env.int("ACCORDANCE_OFFER_DAYS", default=14)

# Requests to the API that one account or token may make in a minute; 0 for no limit.
ACCORDANCE_API_PER_MINUTE = env.int("ACCORDANCE_API_PER_MINUTE", default=600)
REST_FRAMEWORK = {
    "DEFAULT_AUTHENTICATION_CLASSES": [
        "studies.api.authentication.BearerAuthentication",
        "rest_framework.authentication.SessionAuthentication",
    ],
    "DEFAULT_PERMISSION_CLASSES": ["rest_framework.permissions.IsAuthenticated"],
    "DEFAULT_THROTTLE_CLASSES": ["studies.api.throttling.PerMinute"],
    "DEFAULT_PARSER_CLASSES": ["studies.api.parsing.BoundedJSONParser"],
    "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
    "DEFAULT_CONTENT_NEGOTIATION_CLASS": "studies.api.parsing.OneFormat",
    "DEFAULT_SCHEMA_CLASS": "drf_spectacular.openapi.AutoSchema",
    "EXCEPTION_HANDLER": "studies.api.errors.answer_error",
    "URL_FORMAT_OVERRIDE": None,
}
SPECTACULAR_SETTINGS = {
    "TITLE": "Accordance",
    "DESCRIPTION": "Which automatic caption metrics agree with people? Studies, judgments, scores and correlations.",
    "VERSION": "1",
    "SCHEMA_PATH_PREFIX": "/api/v1/",
    "SERVE_INCLUDE_SCHEMA": False,
    "COMPONENT_SPLIT_REQUEST": True,
    "POSTPROCESSING_HOOKS": [
        "drf_spectacular.hooks.postprocess_schema_enums",
        "studies.api.serializers.strictness.close_bodies",
    ],
    "ENUM_NAME_OVERRIDES": {
        "StudyState": "studies.enums.StudyState",
        "RunState": "studies.enums.RequestState",
        "WorkState": "studies.enums.WorkState",
        "TaskKind": "studies.enums.TaskKind",
    },
}

CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [SELF],
        "base-uri": [NONE],
        # The form that begins single sign-on is answered by sending the browser to the provider.
        "form-action": [SELF, *([find_origin(ACCORDANCE_OIDC_ORIGIN)] if ACCORDANCE_OIDC_ORIGIN else [])],
        "frame-ancestors": [NONE],
        "img-src": [SELF, "data:"],
        "object-src": [NONE],
    }
}
# Panels of Mechanical Turk's model that may show raters' pages in a frame and take assignments back.
ACCORDANCE_AMT_ORIGINS = env.list(
    "ACCORDANCE_AMT_ORIGINS", default=["https://www.mturk.com", "https://workersandbox.mturk.com"]
)
# Prolific's public keys, by which it signs the addresses of studies; `fetch_prolific_keys` writes them there.
ACCORDANCE_PROLIFIC_KEYS = env("ACCORDANCE_PROLIFIC_KEYS", default=str(VAR_DIR / "prolific_keys.json"))
X_FRAME_OPTIONS = "DENY"
SECURE_REFERRER_POLICY = "same-origin"
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = env.bool("HTTPS", default=False)
SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https") if SESSION_COOKIE_SECURE else None
# Who asks without TLS is sent to it, and a browser that was here once asks so no more.
SECURE_SSL_REDIRECT = env.bool("SSL_REDIRECT", default=SESSION_COOKIE_SECURE)
SECURE_HSTS_SECONDS = env.int("HSTS_SECONDS", default=365 * 24 * 3600 if SESSION_COOKIE_SECURE else 0)
SECURE_HSTS_INCLUDE_SUBDOMAINS = SECURE_HSTS_PRELOAD = env.bool("HSTS_SUBDOMAINS", default=False)
# Other hosts of the operator's domain, and lists in browsers, are theirs to decide about: `HSTS_SUBDOMAINS`.
SILENCED_SYSTEM_CHECKS = ["security.W005", "security.W021"]

CSRF_FAILURE_VIEW = "annotation_ui.views.refusals.refuse_forgery"
# How many proxies stand before the server, each of which adds to X-Forwarded-For the address that it saw.
ACCORDANCE_PROXIES = env.int("ACCORDANCE_PROXIES", default=int(SESSION_COOKIE_SECURE))
REST_FRAMEWORK["NUM_PROXIES"] = ACCORDANCE_PROXIES
# From one address: consents to one study in a minute.
ACCORDANCE_JOINS_PER_MINUTE = env.int("ACCORDANCE_JOINS_PER_MINUTE", default=120)
# How many newcomers of one address, or /64 of IPv6, may hold a main task of a study at the same time.
ACCORDANCE_NEWCOMERS_PER_ADDRESS = env.int("ACCORDANCE_NEWCOMERS_PER_ADDRESS", default=40)
# A field of the consent form that people do not see and programs fill in.
ACCORDANCE_HONEYPOT = env.bool("ACCORDANCE_HONEYPOT", default=True)
# Wrong passwords in a quarter of an hour: for a name from one network, for a name, and from one network.
ACCORDANCE_FAILED_LOGINS = env.int("ACCORDANCE_FAILED_LOGINS", default=10)
ACCORDANCE_FAILED_LOGINS_PER_NAME = env.int("ACCORDANCE_FAILED_LOGINS_PER_NAME", default=100)
ACCORDANCE_FAILED_LOGINS_PER_NETWORK = env.int("ACCORDANCE_FAILED_LOGINS_PER_NETWORK", default=50)
AXES_HANDLER = "studies.access.accounts.attempts.ReservingHandler"
AXES_CLIENT_IP_CALLABLE = "studies.access.accounts.attempts.read_client"
AXES_LOCKOUT_CALLABLE = "studies.views.access.too_often.answer_too_often"
AXES_ENABLE_ADMIN = AXES_VERBOSE = AXES_RESET_COOL_OFF_ON_FAILURE_DURING_LOCKOUT = False

ACCORDANCE_SCORING_PROCESSES = env.int("ACCORDANCE_SCORING_PROCESSES", default=0)
"""Worker processes of a scoring run; 0 = one per core."""

# A plugin that is one file is dropped into this folder.
ACCORDANCE_PLUGINS = env("ACCORDANCE_PLUGINS", default=str(VAR_DIR / "plugins"))
# Files that parameters of metrics may name on pages: `shared/` for every study, `datasets/KEY/` for those of a dataset.
ACCORDANCE_RESOURCES = env("ACCORDANCE_RESOURCES", default=str(VAR_DIR / "resources"))
# How many seconds a page waits for plugins that are not bundled; None: until they are loaded, as commands do.
ACCORDANCE_PAGES_WAIT = env.float("ACCORDANCE_PAGES_WAIT", default=None)
# What ends a metric that scores in the background: seconds for one chunk of rows, and MiB of memory (0 for no limit).
ACCORDANCE_METRIC_SECONDS = env.float("ACCORDANCE_METRIC_SECONDS", default=600.0)
ACCORDANCE_METRIC_MEMORY = env.int("ACCORDANCE_METRIC_MEMORY", default=4096)
# Whether plugins that score in the background may use the network.
ACCORDANCE_PLUGIN_NETWORK = env.bool("ACCORDANCE_PLUGIN_NETWORK", default=False)
# The socket of the service that starts plugins as another user; empty: they run as the user of the site.
ACCORDANCE_PLUGIN_SOCKET = env("ACCORDANCE_PLUGIN_SOCKET", default="")

# Django's own default tells nobody of an error outside of DEBUG but by mail; a service's log is where it is looked for.
LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {
        "dated": {
            "()": "config.scrubbing.ScrubbingFormatter",
            "fmt": "{asctime} {levelname} {name}: {message}",
            "style": "{",
        }
    },
    "handlers": {"stderr": {"class": "logging.StreamHandler", "formatter": "dated"}},
    # Everything is written by this one handler, so that everything is scrubbed.
    "root": {"handlers": ["stderr"], "level": "WARNING"},
    "loggers": {
        "django": {"handlers": [], "level": "INFO" if DEBUG else "ERROR"},
        # Its warnings tell addresses of visitors, which do not belong into logs.
        "axes": {"level": "ERROR"},
    },
}
