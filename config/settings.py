"""Django settings; operators configure them with environment variables (see docs/operations.md)."""

from pathlib import Path

import environ
from csp.constants import NONE, SELF

from config.origins import find_origin
from config.secrets import find_secret
from config.shared_services import make_cache, make_folder_cache, make_storages
from execution.factory import choose_kind

BASE_DIR = Path(__file__).resolve().parent.parent
env = environ.Env()

# A checkout keeps its data in itself; an installed package keeps them in the folder where its commands are run.
HOME_DIR = BASE_DIR if (BASE_DIR / "manage.py").is_file() else Path.cwd()
VAR_DIR = Path(env("ACCORDANCE_VAR", default=str(HOME_DIR / "var")))
SECRET_KEY = find_secret(env("SECRET_KEY", default=""), path=VAR_DIR / "secret_key")
# Earlier keys, with which links in emails and secrets of second factors can still be read.
SECRET_KEY_FALLBACKS = env.list("SECRET_KEY_FALLBACKS", default=[])
# Encrypts the identities of raters and keys the hashes by which they are found (`studies.identity_keys`). It is not the
# SECRET_KEY, so that either can be changed. Older keys are needed until `rotate_identity_key` has been run.
ACCORDANCE_IDENTITY_KEY = find_secret(env("ACCORDANCE_IDENTITY_KEY", default=""), path=VAR_DIR / "identity_key")
ACCORDANCE_IDENTITY_KEY_FALLBACKS = env.list("ACCORDANCE_IDENTITY_KEY_FALLBACKS", default=[])
# The record of erasures, as keyed hashes; outside the database, since restoring a backup would bring erased data back.
ACCORDANCE_ERASURES = env("ACCORDANCE_ERASURES", default=str(VAR_DIR / "erasures.jsonl"))
DEBUG = env.bool("DEBUG", default=False)
ALLOWED_HOSTS = env.list("ALLOWED_HOSTS", default=["localhost", "127.0.0.1", "[::1]"])
CSRF_TRUSTED_ORIGINS = env.list("CSRF_TRUSTED_ORIGINS", default=[])

INSTALLED_APPS = [
    # Without finding the pages of all models at once, which `config.urls` does: most commands need none.
    "django.contrib.admin.apps.SimpleAdminConfig",
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
    "challenges",
    "annotation_ui",
    # After our apps, whose templates override those of allauth.
    "allauth",
    "allauth.account",
    "allauth.usersessions",
]
# Optional second factor: codes of an authenticator app (TOTP), and recovery codes in case it is lost.
if env.bool("ACCORDANCE_TOTP", default=True):
    INSTALLED_APPS.append("allauth.mfa")
# Single sign-on with one OpenID Connect provider: its address, and the client id and secret of this site.
ACCORDANCE_OIDC_SERVER = env("ACCORDANCE_OIDC_SERVER", default="").rstrip("/")
# The origin of the provider's login page, if it is on another host.
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
    "studies.views.access.expired_forms.ExpiredFormMiddleware",
    "config.post_only.PostOnlyMiddleware",
    "allauth.account.middleware.AccountMiddleware",
    "axes.middleware.AxesMiddleware",
    "studies.storage.outages.OutageMiddleware",
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

DATABASES = {"default": env.db("DATABASE_URL", default=f"sqlite:///{HOME_DIR / 'db.sqlite3'}")}
if DATABASES["default"]["ENGINE"] == "django.db.backends.sqlite3":
    DATABASES["default"]["ENGINE"] = "config.sqlite"
    # WAL allows reading while another process writes; IMMEDIATE makes a writer wait at its start instead of failing
    # later. Without FULL, an acknowledged judgment could be lost in a power failure.
    DATABASES["default"]["OPTIONS"] = {
        "transaction_mode": "IMMEDIATE",
        "timeout": 60,
        "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL;",
    }
else:
    # Opening a connection takes the server longer than most requests; broken connections are replaced.
    DATABASES["default"]["CONN_MAX_AGE"] = 60
    DATABASES["default"]["CONN_HEALTH_CHECKS"] = True
    if DATABASES["default"]["ENGINE"] == "django.db.backends.postgresql":
        DATABASES["default"]["ENGINE"] = "config.postgresql"
        # Repeated statements are parsed and planned once per connection. A pooler in transaction mode must support
        # prepared statements.
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
# Whether researchers may sign up: "closed", "open", or "invited" with the code in SIGN_UP_WORD.
ACCORDANCE_SIGN_UP = env("ACCORDANCE_SIGN_UP", default="open" if DEBUG else "closed")
ACCORDANCE_SIGN_UP_WORD = env("ACCORDANCE_SIGN_UP_WORD", default="")
LOGIN_URL = "account_login"
LOGIN_REDIRECT_URL = "studies:list"
LOGOUT_REDIRECT_URL = "studies:front"
# Minutes of inactivity after which users are logged out; 0 for never.
ACCORDANCE_IDLE_MINUTES = env.int("ACCORDANCE_IDLE_MINUTES", default=480)

# The mail server, as a URL such as smtp+tls://user:password@host:587; without it no mail is sent.
EMAIL_URL = env("EMAIL_URL", default="")
HAS_MAIL = bool(EMAIL_URL)
vars().update(env.email_url_config(EMAIL_URL or "dummymail://"))
EMAIL_TIMEOUT = 10
DEFAULT_FROM_EMAIL = SERVER_EMAIL = env("DEFAULT_FROM_EMAIL", default="accordance@localhost")
ACCOUNT_ADAPTER = "studies.access.accounts.adapters.AccountAdapter"
# Users who sign up must confirm their email address; accounts created by operators need not.
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
# A code may end while it is typed, and clocks differ: the ones before and after it count, too (RFC 6238, section 5.2).
MFA_TOTP_TOLERANCE = 1
# Without mail, addresses cannot be confirmed, so a second factor must not require it.
MFA_ALLOW_UNVERIFIED_EMAIL = True
# Whether all users of the provider get an account; otherwise single sign-on is only for accounts connected to it.
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

# The languages of raters' pages (`annotation_ui.languages`); all other pages are in English.
LANGUAGE_CODE = "en"
LANGUAGES = [("en", "English"), ("de", "German"), ("es", "Spanish"), ("zh-hans", "Simplified Chinese")]
LANGUAGE_COOKIE_NAME = "language"
# Takes precedence over Django's translations of the same texts.
LOCALE_PATHS = [BASE_DIR / "annotation_ui" / "locale"]
TIME_ZONE = "UTC"
USE_I18N = True
USE_TZ = True

# Where several servers keep what they share: images and uploads (s3://BUCKET?endpoint=URL), and the cache (redis://HOST).
# Empty for folders in VAR_DIR.
ACCORDANCE_STORAGE = env("ACCORDANCE_STORAGE", default="")
ACCORDANCE_REDIS = env("ACCORDANCE_REDIS", default="")
STORAGES = make_storages(ACCORDANCE_STORAGE)
# Cached values of pages are keyed by a fingerprint of their inputs, so they are never stale; they may be lost any time.
CACHES = {
    # Shared by all processes, including workers: reports, and the progress of their intervals.
    "default": make_cache(
        ACCORDANCE_REDIS,
        env.cache("CACHE_URL") if env("CACHE_URL", default="") else make_folder_cache(VAR_DIR / "cache"),
    ),
    # Per process: judgments and scores in columns, about 60 MB for 400,000 judgments with 20 metrics.
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
# The folder of uploads, which are kept for up to a day until a study is created from them; and the limits of uploads.
ACCORDANCE_UPLOADS = VAR_DIR / "uploads"
ACCORDANCE_UPLOAD_MB = env.int("ACCORDANCE_UPLOAD_MB", default=256)
# The maximum KiB of JSON from which an API request itself creates a study; larger uploads are read by a job.
ACCORDANCE_API_STUDY_KB = env.int("ACCORDANCE_API_STUDY_KB", default=1024)

# Limits per account: jobs queued or running, studies owned, and MB of files; 0 for no limit.
ACCORDANCE_ACCOUNT_JOBS = env.int("ACCORDANCE_ACCOUNT_JOBS", default=20)
ACCORDANCE_ACCOUNT_STUDIES = env.int("ACCORDANCE_ACCOUNT_STUDIES", default=200)
ACCORDANCE_ACCOUNT_MB = env.int("ACCORDANCE_ACCOUNT_MB", default=8192)
# Submissions of a team in a phase that may fail or be cancelled per day, besides those that count; 0 for no limit.
ACCORDANCE_FREE_SUBMISSIONS = env.int("ACCORDANCE_FREE_SUBMISSIONS", default=20)
# Limits for the process that reads an upload: seconds, and MiB of memory (0 for no limit).
ACCORDANCE_UPLOAD_SECONDS = env.float("ACCORDANCE_UPLOAD_SECONDS", default=600.0)
ACCORDANCE_UPLOAD_MEMORY = env.int("ACCORDANCE_UPLOAD_MEMORY", default=1024)
# The maximum number of rows of a table from which a study is created on a page.
ACCORDANCE_UPLOAD_ROWS = env.int("ACCORDANCE_UPLOAD_ROWS", default=50_000)

# The default and the maximum validity in days of links to reports, API tokens and transfers of a study.
ACCORDANCE_LINK_DAYS = env.int("ACCORDANCE_LINK_DAYS", default=90)
ACCORDANCE_LINK_DAYS_MOST = env.int("ACCORDANCE_LINK_DAYS_MOST", default=365)
ACCORDANCE_TOKEN_DAYS = env.int("ACCORDANCE_TOKEN_DAYS", default=90)
ACCORDANCE_TOKEN_DAYS_MOST = env.int("ACCORDANCE_TOKEN_DAYS_MOST", default=365)
ACCORDANCE_OFFER_DAYS = env.int("ACCORDANCE_OFFER_DAYS", default=14)

# API requests per minute for each account or token; 0 for no limit.
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
        "AuditAction": "studies.enums.AuditAction",
        "WorkState": "studies.enums.WorkState",
        "TaskKind": "studies.enums.TaskKind",
        "TestChoice": "studies.api.serializers.analysis.TEST_CHOICES",
        "SubmissionState": "challenges.enums.SubmissionState",
        "BaselineKind": "challenges.enums.BaselineKind",
        "UploadedBaselineKind": "challenges.baselines.adding.UPLOADED",
    },
}

CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [SELF],
        "base-uri": [NONE],
        # The form that starts single sign-on redirects the browser to the provider.
        "form-action": [SELF, *([find_origin(ACCORDANCE_OIDC_ORIGIN)] if ACCORDANCE_OIDC_ORIGIN else [])],
        "frame-ancestors": [NONE],
        "img-src": [SELF, "data:"],
        "object-src": [NONE],
    }
}
# Origins of panels like Mechanical Turk that may show raters' pages in a frame and receive assignments.
ACCORDANCE_AMT_ORIGINS = env.list(
    "ACCORDANCE_AMT_ORIGINS", default=["https://www.mturk.com", "https://workersandbox.mturk.com"]
)
# The file with Prolific's public keys for signed addresses, written by `fetch_prolific_keys`.
ACCORDANCE_PROLIFIC_KEYS = env("ACCORDANCE_PROLIFIC_KEYS", default=str(VAR_DIR / "prolific_keys.json"))
X_FRAME_OPTIONS = "DENY"
SECURE_REFERRER_POLICY = "same-origin"
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = env.bool("HTTPS", default=False)
SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https") if SESSION_COOKIE_SECURE else None
# Requests without TLS are redirected to https, and browsers remember to use it (HSTS).
SECURE_SSL_REDIRECT = env.bool("SSL_REDIRECT", default=SESSION_COOKIE_SECURE)
SECURE_HSTS_SECONDS = env.int("HSTS_SECONDS", default=365 * 24 * 3600 if SESSION_COOKIE_SECURE else 0)
SECURE_HSTS_INCLUDE_SUBDOMAINS = SECURE_HSTS_PRELOAD = env.bool("HSTS_SUBDOMAINS", default=False)
# Operators decide on subdomains (`HSTS_SUBDOMAINS`) and preloading in browsers.
SILENCED_SYSTEM_CHECKS = ["security.W005", "security.W021"]

CSRF_FAILURE_VIEW = "annotation_ui.views.refusals.refuse_forgery"
# The number of proxies in front of the server, each of which adds an address to X-Forwarded-For.
ACCORDANCE_PROXIES = env.int("ACCORDANCE_PROXIES", default=int(SESSION_COOKIE_SECURE))
REST_FRAMEWORK["NUM_PROXIES"] = ACCORDANCE_PROXIES
# Consents to a study per minute from one address.
ACCORDANCE_JOINS_PER_MINUTE = env.int("ACCORDANCE_JOINS_PER_MINUTE", default=120)
# New raters from one address (for IPv6 a /64 network) who may have a main task of a study at the same time.
ACCORDANCE_NEWCOMERS_PER_ADDRESS = env.int("ACCORDANCE_NEWCOMERS_PER_ADDRESS", default=40)
# Whether the consent form has a hidden field that only programs fill in.
ACCORDANCE_HONEYPOT = env.bool("ACCORDANCE_HONEYPOT", default=True)
# Failed logins within a quarter of an hour: for a name from one network, for a name, and from one network.
ACCORDANCE_FAILED_LOGINS = env.int("ACCORDANCE_FAILED_LOGINS", default=10)
ACCORDANCE_FAILED_LOGINS_PER_NAME = env.int("ACCORDANCE_FAILED_LOGINS_PER_NAME", default=100)
ACCORDANCE_FAILED_LOGINS_PER_NETWORK = env.int("ACCORDANCE_FAILED_LOGINS_PER_NETWORK", default=50)
AXES_HANDLER = "studies.access.accounts.attempts.ReservingHandler"
AXES_CLIENT_IP_CALLABLE = "studies.access.accounts.attempts.read_client"
AXES_LOCKOUT_CALLABLE = "studies.views.access.too_often.answer_too_often"
AXES_ENABLE_ADMIN = AXES_VERBOSE = AXES_RESET_COOL_OFF_ON_FAILURE_DURING_LOCKOUT = False

# Read from the environment by every executor; here, so that an unknown kind is refused when the process starts.
ACCORDANCE_EXECUTOR = choose_kind()
ACCORDANCE_SCORING_PROCESSES = env.int("ACCORDANCE_SCORING_PROCESSES", default=0)
"""The number of worker processes of a scoring run; 0 for one per core."""

# The folder for plugins that consist of a single file.
ACCORDANCE_PLUGINS = env("ACCORDANCE_PLUGINS", default=str(VAR_DIR / "plugins"))
# Files that parameters of metrics may refer to on pages: `shared/` for all studies, `datasets/KEY/` for one dataset's.
ACCORDANCE_RESOURCES = env("ACCORDANCE_RESOURCES", default=str(VAR_DIR / "resources"))
# The folder of captioners that pages offer: in each subfolder a trained captioner, or a model of transformers.
ACCORDANCE_CAPTIONERS = env("ACCORDANCE_CAPTIONERS", default=str(VAR_DIR / "captioners"))
# Limits for captioning the images of a dataset in the background: seconds, and captions (0 for no limit).
ACCORDANCE_CAPTION_SECONDS = env.float("ACCORDANCE_CAPTION_SECONDS", default=3600.0)
ACCORDANCE_CAPTIONS = env.int("ACCORDANCE_CAPTIONS", default=100_000)
# Seconds that a page waits for plugins that are not bundled; None to wait until they are loaded, as commands do.
ACCORDANCE_PAGES_WAIT = env.float("ACCORDANCE_PAGES_WAIT", default=None)
# Limits for scoring in the background: seconds for a chunk of rows, and MiB of memory (0 for no limit).
ACCORDANCE_METRIC_SECONDS = env.float("ACCORDANCE_METRIC_SECONDS", default=600.0)
ACCORDANCE_METRIC_MEMORY = env.int("ACCORDANCE_METRIC_MEMORY", default=4096)
# Captions that one account may have scored on the pages of metrics in a minute; 0 for no limit.
ACCORDANCE_METRIC_TRIALS = env.int("ACCORDANCE_METRIC_TRIALS", default=20)
# Whether plugins may use the network when they score in the background.
ACCORDANCE_PLUGIN_NETWORK = env.bool("ACCORDANCE_PLUGIN_NETWORK", default=False)
# The socket of the service that runs plugins as another user; if empty, they run as the user of the site.
ACCORDANCE_PLUGIN_SOCKET = env("ACCORDANCE_PLUGIN_SOCKET", default="")

# Hosts to which users may let the site send webhooks, or `*` for all public ones; none by default.
ACCORDANCE_WEBHOOK_HOSTS = env.list("ACCORDANCE_WEBHOOK_HOSTS", default=[])
ACCORDANCE_WEBHOOK_PORTS = env.list("ACCORDANCE_WEBHOOK_PORTS", cast=int, default=[443])
# Allows webhooks without TLS, and to this machine. Only tests set it; no variable of the environment does.
ACCORDANCE_WEBHOOK_TESTING = False

# Without DEBUG Django reports errors only by mail by default; operators expect them in the log of the service.
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
    # Only this handler writes logs, so that all of them are scrubbed.
    "root": {"handlers": ["stderr"], "level": "WARNING"},
    "loggers": {
        "django": {"handlers": [], "level": "INFO" if DEBUG else "ERROR"},
        # Its warnings contain addresses of visitors, which must not be logged.
        "axes": {"level": "ERROR"},
    },
}
