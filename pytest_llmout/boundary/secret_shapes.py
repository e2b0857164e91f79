"""What credentials look like in the text of a reply: one shape for each kind.

The prefixes and lengths are those their providers document. No pattern can fail after an unbounded part, so that a
search through any text takes linear time.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pytest_llmout.boundary.secret_values import always, is_token_pair, looks_chosen, looks_random, looks_set

if TYPE_CHECKING:
    from collections.abc import Callable


@dataclass(frozen=True, slots=True)
class SecretShape:
    """One kind of credential."""

    name: str
    hints: tuple[str, ...]
    """In lower case; a text without any of these holds no such credential."""
    pattern: re.Pattern[str]
    """Its group `secret` is what must not be published."""
    part: re.Pattern[str] | None = None
    """If given, only the `secret` groups of this pattern within that group."""
    is_secret: Callable[[re.Match[str]], bool] = always
    """Tells a credential from a placeholder, a reference in code, or a word."""


_NAME = (
    r"(?:passw(?:or)?d|passphrase|passcode|pwd|(?<=_)pass|credentials?|(?:bot|auth|access|refresh|id|bearer)?[_-]?token"
    r"|(?:client[_-]?)?secret(?:[_-]?access)?(?:[_-]?key(?:[_-]?base)?)?|(?:api|account|private|signing|encryption"
    r"|access|master|shared[_-]?access|storage|auth|webhook)[ _-]?key)"
)
_LOGIN_WORD = "password|passwd|passphrase|passcode|pwd"
_DECORATION = r"[\"'`*_\\\])]{0,6}"
_OPENING = r"[\"'`*_\\]{0,6}"
_SEPARATOR = r"(?::[ \t]{0,4}[A-Za-z]{1,20}[ \t]{0,4}=|:=|=>|={1,3}|:|\||>|is:?)"

_TOKENS = {
    "age": (("age-secret-key-1",), r"AGE-SECRET-KEY-1[0-9A-Z]{50,}"),
    "anthropic, openai": (("sk-",), r"sk-[A-Za-z0-9_-]{20,}"),
    "aws key id": (("akia", "asia"), r"(?:AKIA|ASIA)[0-9A-Z]{16}(?![0-9A-Za-z])"),
    "databricks": (("dapi",), r"dapi[0-9a-f]{32}"),
    "digitalocean": (("doo_v1_", "dop_v1_", "dor_v1_"), r"do[opr]_v1_[0-9a-f]{64}"),
    "discord": ((".",), r"[MNO][A-Za-z0-9_-]{23,25}\.[A-Za-z0-9_-]{6}\.[A-Za-z0-9_-]{27,}"),
    "docker": (("dckr_",), r"dckr_[op]at_[A-Za-z0-9_-]{20,}"),
    "github": (("ghp_", "gho_", "ghu_", "ghs_", "ghr_"), r"gh[pousr]_[A-Za-z0-9]{36,}"),
    "github fine-grained": (("github_pat_",), r"github_pat_[A-Za-z0-9_]{22,}"),
    "gitlab": (
        ("glpat-", "gldt-", "glrt-", "glptt-", "glsoat-", "glcbt-", "glft-", "glagent-"),
        r"gl(?:pat|dt|rt|ptt|soat|cbt|ft|agent)-[A-Za-z0-9_-]{20,}",
    ),
    "google key": (("aiza",), r"AIza[A-Za-z0-9_-]{35}"),
    "google oauth": (("ya29.", "gocspx-"), r"(?:ya29\.|GOCSPX-)[A-Za-z0-9_-]{20,}"),
    "grafana": (("glsa_", "glc_"), r"gl(?:sa|c)_[A-Za-z0-9_=+/-]{32,}"),
    "groq": (("gsk_",), r"gsk_[A-Za-z0-9]{40,}"),
    "hugging face": (("hf_",), r"hf_[A-Za-z0-9]{30,}"),
    "linear": (("lin_api_", "lin_oauth_"), r"lin_(?:api|oauth)_[A-Za-z0-9]{32,}"),
    "mailchimp": (("-us",), r"[0-9a-f]{32}-us[0-9]{1,2}(?![0-9A-Za-z])"),
    "mailgun": (("key-",), r"key-[0-9a-f]{32}"),
    "notion": (("ntn_",), r"ntn_[A-Za-z0-9]{40,}"),
    "npm": (("npm_",), r"npm_[A-Za-z0-9]{36}"),
    "perplexity": (("pplx-",), r"pplx-[A-Za-z0-9]{40,}"),
    "pypi": (("pypi-ag",), r"pypi-Ag[A-Za-z0-9_-]{50,}"),
    "replicate": (("r8_",), r"r8_[A-Za-z0-9]{37}"),
    "sendgrid": (("sg.",), r"SG\.[A-Za-z0-9_-]{22}\.[A-Za-z0-9_-]{43}"),
    "shopify": (("shpat_", "shpca_", "shppa_", "shpss_"), r"shp(?:at|ca|pa|ss)_[0-9a-fA-F]{32}"),
    "slack": (("xox",), r"xox[abeoprs]-[A-Za-z0-9-]{10,}"),
    "slack app": (("xapp-",), r"xapp-[0-9]-[A-Za-z0-9-]{20,}"),
    "square": (("sq0atp-", "sq0csp-"), r"sq0(?:atp|csp)-[A-Za-z0-9_-]{22,}"),
    "stripe": (("k_live_", "k_test_"), r"[rs]k_(?:live|test)_[A-Za-z0-9]{16,}"),
    "stripe webhook": (("whsec_",), r"whsec_[A-Za-z0-9+/]{24,}"),
    "telegram": ((":aa",), r"[0-9]{8,10}:AA[A-Za-z0-9_-]{33}"),
    "twilio": (("sk",), r"SK[0-9a-f]{32}(?![0-9A-Za-z])"),
    "vault": (("hvs.", "hvb.", "hvr."), r"hv[sbr]\.[A-Za-z0-9_-]{24,}"),
    "xai": (("xai-",), r"xai-[A-Za-z0-9]{60,}"),
}

SHAPES = (
    SecretShape(
        "private key",
        ("private key",),
        re.compile(
            r"-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----(?P<secret>[^-]*+(?:-(?!----)[^-]*+)*+)-----"
        ),
    ),
    SecretShape(
        "private key, cut off",
        ("private key",),
        re.compile(
            r"-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----"
            r"(?P<secret>(?:(?:\\[rn]|[\s>|\"'+,])*+[A-Za-z0-9+/=]{40,}+)++(?:(?:\\[rn]|[\s>|\"'+,])*+[A-Za-z0-9+/=]+)?)"
        ),
    ),
    SecretShape(
        "password in a URL", ("://",), re.compile(r"://[^\s/:@\"'`<>]{0,200}:(?P<secret>[^\s/\"'`<>{}$]{1,500})@")
    ),
    SecretShape(
        "secret in a query",
        ("=",),
        re.compile(
            r"[?&](?:sig|signature|x-amz-signature|x-amz-security-token|x-goog-signature|key|code|auth)="
            r"(?P<secret>[^&\s#\"'`<>{}$]{12,})",
            re.IGNORECASE,
        ),
        is_secret=looks_random,
    ),
    SecretShape(
        "Slack webhook",
        ("hooks.slack.com/",),
        re.compile(r"hooks\.slack\.com/(?:services|workflows)/(?P<secret>[A-Za-z0-9/_-]{20,})"),
    ),
    SecretShape(
        "Discord webhook",
        ("/api/webhooks/",),
        re.compile(r"/api/webhooks/[0-9]{10,20}/(?P<secret>[A-Za-z0-9_-]{40,})"),
    ),
    SecretShape(
        "authorisation header",
        ("authorization", "bearer", "basic"),
        re.compile(
            rf"(?:authorization{_DECORATION}[ \t]{{0,4}}[:=][ \t]{{0,4}}{_OPENING}"
            r"(?:(?:bearer|basic|token|apikey|negotiate)[ \t]{1,4})?|\b(?:bearer|basic)[ \t]{1,4})"
            r"(?P<secret>[^\s\"'`<>{}$\\]{8,})",
            re.IGNORECASE,
        ),
        is_secret=looks_random,
    ),
    SecretShape(
        "authorisation header with fields",
        ("authorization",),
        re.compile(
            r"authorization[\"']?[ \t]{0,4}[:=][ \t]{0,4}[\"']?(?:digest|aws4-hmac-sha256)(?P<secret>[^\n]*)",
            re.IGNORECASE,
        ),
        part=re.compile(r"\b(?:response|nonce|cnonce|signature|credential)=\"?(?P<secret>[^\s,\"]+)", re.IGNORECASE),
    ),
    SecretShape(
        "cookie",
        ("cookie",),
        re.compile(r"cookie2?[\"'`*_]{0,4}[ \t]{0,4}:[ \t*_]{0,4}[\"'`]?(?P<secret>[\w.-]+=[^\n\"'`]*)", re.IGNORECASE),
        part=re.compile(
            r"(?:^|;[ \t]*)(?!(?:path|domain|expires|max-age|samesite|priority)=)[^=;]+=(?P<secret>[^;\s]+)",
            re.IGNORECASE,
        ),
    ),
    SecretShape(
        "JSON web token",
        ("eyj",),
        re.compile(r"(?<![A-Za-z0-9])(?P<secret>eyJ[A-Za-z0-9_-]{12,}(?:\.[A-Za-z0-9_-]*)*)"),
        is_secret=is_token_pair,
    ),
    *(
        SecretShape(f"token: {name}", hints, re.compile(rf"(?<![A-Za-z0-9])(?P<secret>{pattern})"))
        for name, (hints, pattern) in _TOKENS.items()
    ),
    SecretShape(
        "command-line option",
        ("--", "-u"),
        re.compile(
            rf"(?:--[\w-]{{0,30}}?{_NAME}[ =]|(?:-u|--user)[ =][\"']?[^\s:\"'`]{{1,64}}:)"
            r"(?P<open>[\"'])?(?P<secret>[^\s\"'`<>|${}\\]{4,})",
            re.IGNORECASE,
        ),
        is_secret=looks_set,
    ),
    SecretShape(
        "assignment to a telling name",
        ("pass", "pwd", "secret", "token", "key", "credential"),
        re.compile(
            rf"{_NAME}(?:[_-]?[0-9]{{1,3}})?{_DECORATION}[ \t]{{0,8}}{_SEPARATOR}[ \t]{{0,8}}(?P<open>{_OPENING})"
            r"[ \t]?(?![$<{(\[%&])(?P<secret>[^\s\"'`<>|\\]{4,})",
            re.IGNORECASE,
        ),
        is_secret=looks_set,
    ),
    SecretShape(
        "word for a password, alone on its line",
        ("pass", "pwd"),
        re.compile(
            rf"^[ \t>*+-]{{0,12}}(?:(?:(?:export|ENV|set)[ ])?(?:[A-Z0-9]+_){{0,4}}(?:{_LOGIN_WORD.upper()})="
            rf"|(?:[a-z0-9]+_){{0,4}}(?:{_LOGIN_WORD})[\"'`*]{{0,4}}:[ \t*]{{1,4}}"
            rf"|\*\*(?i:{_LOGIN_WORD})(?::\*\*|\*\*:)[ \t])"
            r"(?P<secret>[A-Za-z]{8,64})[ \t]*\r?$",
            re.MULTILINE,
        ),
        is_secret=looks_chosen,
    ),
)
"""In the order in which they are looked for."""
