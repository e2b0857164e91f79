"""Made-up credentials in the surroundings in which replies show them, and texts that only look like credentials.

They are drawn at run time from a seed, so that no file of this repository holds anything a secret scanner would report.
"""

from __future__ import annotations

import base64
import json
import random
import string
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

ALNUM = string.ascii_letters + string.digits
HEX = "0123456789abcdef"
SAFE = f"{ALNUM}_-"


@dataclass(frozen=True, slots=True)
class Seeded:
    """A text with one credential in it."""

    kind: str
    text: str
    secret: str
    """What must not be found in the redacted text."""


def draw(source: random.Random, alphabet: str, length: int) -> str:
    return "".join(source.choices(alphabet, k=length))


def _password(source: random.Random) -> str:
    return draw(source, ALNUM + "!@#%^+?", 13) + "7a"


def _web_token(source: random.Random) -> str:
    def part(fields: dict[str, object]) -> str:
        return base64.urlsafe_b64encode(json.dumps(fields).encode()).decode().rstrip("=")

    return f"{part({'alg': 'HS256'})}.{part({'sub': source.randrange(10**9)})}.{draw(source, SAFE, 43)}"


TOKENS: dict[str, Callable[[random.Random], str]] = {
    "anthropic": lambda source: "sk-ant-api03-" + draw(source, SAFE, 90) + "AA",
    "aws key id": lambda source: "AKIA" + draw(source, string.ascii_uppercase + "234567", 16),
    "databricks": lambda source: "dapi" + draw(source, HEX, 32),
    "digitalocean": lambda source: "dop_v1_" + draw(source, HEX, 64),
    "github": lambda source: "ghp_" + draw(source, ALNUM, 36),
    "github fine-grained": lambda source: "github_pat_" + draw(source, ALNUM, 22) + "_" + draw(source, ALNUM, 59),
    "gitlab": lambda source: "glpat-" + draw(source, SAFE, 19) + "x",
    "google": lambda source: "AIza" + draw(source, SAFE, 34) + "x",
    "groq": lambda source: "gsk_" + draw(source, ALNUM, 52),
    "hugging face": lambda source: "hf_" + draw(source, string.ascii_letters, 34),
    "json web token": _web_token,
    "npm": lambda source: "npm_" + draw(source, ALNUM, 36),
    "openai": lambda source: "sk-proj-" + draw(source, SAFE, 120) + "x",
    "pypi": lambda source: "pypi-AgEIcHlwaS5vcmc" + draw(source, SAFE, 100) + "x",
    "sendgrid": lambda source: f"SG.{draw(source, SAFE, 22)}.{draw(source, SAFE, 42)}x",
    "slack": lambda source: f"xoxb-{draw(source, string.digits, 12)}-{draw(source, ALNUM, 24)}",
    "stripe": lambda source: "sk_" + "live_" + draw(source, ALNUM, 24),
    "telegram": lambda source: f"{draw(source, '123456789', 9)}:AA{draw(source, SAFE, 32)}x",
    "twilio": lambda source: "SK" + draw(source, HEX, 32),
}

AROUND_A_TOKEN = {
    "prose": "Use {} to sign in.",
    "bold": "The key is **{}**.",
    "emphasis": "The key is _{}_ now",
    "code span": "Run `deploy {} --now` first.",
    "fence": "```sh\nexport KEY={}\n```\n",
    "json": '{{"value": "{}", "n": 1}}',
    "table": "| name | value |\n|---|---|\n| key | {} |\n",
    "link": "[call](https://api.example.com/v1?q={}&n=1)",
}

AROUND_A_PASSWORD = {
    "env": "DB_PASSWORD={}",
    "env, quoted": 'export API_SECRET="{}"',
    "yaml": "database:\n  password: {}\n  port: 5432",
    "json": '{{"user": "me", "password": "{}"}}',
    "python": "client = connect(api_key='{}')",
    "annotated": 'api_token: str = "{}"',
    "dict": 'os.environ["AUTH_TOKEN"] = "{}"',
    "javascript": "const clientSecret = `{}`;",
    "ini": "secret_key = {}",
    "markdown": "**Password:** {}",
    "markdown code": "- Password: `{}`",
    "prose": "The password is {} until Friday",
    "table": "| user | me |\n| password | {} |",
    "xml": "<password>{}</password>",
    "url": "postgres://admin:{}@db.example.com:5432/app",
    "url in code": "`redis://:{}@cache:6379/0`",
    "curl": "curl -u admin:{} https://example.com",
    "option": "mysql --user me --password={} app",
    "header": "curl -H 'X-Api-Key: {}' https://example.com",
    "bearer": "Authorization: Bearer {}",
    "bearer in json": '{{"Authorization": "Bearer {}"}}',
    "cookie": "Cookie: theme=dark; session={}; lang=en",
    "set-cookie": "Set-Cookie: sid={}; Path=/; HttpOnly",
    "signed url": "https://blobs.example.com/a?sv=2024&sig={}",
}
_NO_PLACE_FOR_SYMBOLS = {"url", "url in code", "signed url"}


def _private_key(source: random.Random, *, end: bool) -> Seeded:
    lines = [draw(source, ALNUM + "+/", 64) for _ in range(12)] + [draw(source, ALNUM, 21) + "="]
    name = source.choice(["RSA ", "EC ", "OPENSSH ", ""])
    tail = f"\n-----END {name}PRIVATE KEY-----\n```" if end else ""
    text = f"```\n-----BEGIN {name}PRIVATE KEY-----\n" + "\n".join(lines) + tail
    return Seeded("private key" if end else "private key, cut off", text, source.choice(lines))


def seeded_secrets(seed: int = 7, rounds: int = 3) -> Iterator[Seeded]:
    """Yield every kind of token and password in every surrounding, `rounds` times."""
    source = random.Random(seed)  # noqa: S311  made up, not kept
    for _ in range(rounds):
        for kind, token in TOKENS.items():
            for place, around in AROUND_A_TOKEN.items():
                secret = token(source)
                yield Seeded(f"{kind} in {place}", around.format(secret), secret)
        for place, around in AROUND_A_PASSWORD.items():
            secret = draw(source, ALNUM, 15) + "7a" if place in _NO_PLACE_FOR_SYMBOLS else _password(source)
            yield Seeded(f"password in {place}", around.format(secret), secret)
        yield _private_key(source, end=True)
        yield _private_key(source, end=False)


def _uuid(source: random.Random) -> str:
    return "-".join(draw(source, HEX, length) for length in (8, 4, 4, 4, 12))


def look_alikes(seed: int = 7, rounds: int = 3) -> Iterator[str]:
    """Yield texts without a credential that a careless pattern would mask."""
    source = random.Random(seed)  # noqa: S311  made up, not kept
    for _ in range(rounds):
        yield f"Fixed in commit {draw(source, HEX, 40)} (was {draw(source, HEX, 7)})."
        yield f"sha256: {draw(source, HEX, 64)}"
        yield f'"integrity": "sha512-{base64.b64encode(source.randbytes(64)).decode()}"'
        yield f"docker pull alpine@sha256:{draw(source, HEX, 64)}"
        yield f"request id {_uuid(source)} at https://example.com/jobs/{_uuid(source)}"
        yield f"MD5 {draw(source, HEX, 32)}, trace 00-{draw(source, HEX, 32)}-{draw(source, HEX, 16)}-01"
        yield f"data:image/png;base64,{base64.b64encode(source.randbytes(90)).decode()}"
    yield from LOOK_ALIKES


LOOK_ALIKES = (
    "Upgrade to v1.24.0-rc.3+build.567, then pin numpy==2.4.6.",
    "max_tokens=4096, tokenizer='gpt2', total tokens: 128000",
    'eos_token="</s>", pad_token: "<pad>", mask_token=tokenizer.mask_token',
    "password = os.environ['DB_PASSWORD']",
    "password = getpass('Password: ')",
    "const token = process.env.AUTH_TOKEN;",
    "client = Client(api_key=settings.API_KEY, secret=secret)",
    "export API_KEY=${MY_API_KEY}",
    "export API_KEY=YOUR_API_KEY",
    'api_key: "your-api-key-here"',
    "Authorization: Bearer <token>",
    "Authorization: Bearer YOUR_ACCESS_TOKEN",
    "Authorization: Basic authentication is discouraged.",
    "The Authorization header carries a bearer token or basic credentials.",
    "The password must be at least 12 characters long.",
    "Your password is required to continue; a token is a string.",
    '{"password": {"type": "string", "minLength": 8}}',
    '{"token": "Invalid token supplied", "password": "Password must not be blank"}',
    '{"token_type": "bearer", "expires_in": 3600}',
    "| Password | required |\n|---|---|\n| Token | optional |",
    "secretName: my-app-tls\nsecretKeyRef:\n  key: url",
    "Cookie: a small file that a site stores in the browser.",
    "Open https://user@example.com:8080/path and ssh://git@github.com:22/a.",
    "See https://example.com:443/a?b=c&page=2#frag or mailto:me@example.com",
    "-----BEGIN PUBLIC KEY-----\nMFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAE\n-----END PUBLIC KEY-----",
    "A private key starts with -----BEGIN PRIVATE KEY----- and is followed by base64 text.",
    "key: value\nmonkey=banana1\nkeyboard: qwerty123",
    "The secret: start early. The key: practise.",
    "def authenticate(password: str, token: str | None = None) -> bool:",
    "Basic knowledge of Bearer bonds is enough.",
    "sk-learn, hf_transfer, npm_config_registry and pypi-publish are names.",
    "password: required",
    "- password: mandatory\n- email: optional",
    "PASSWORD=userpassword",
    "password: incorrect\n",
    "**Password:** protected",
    "password = getanything\nself.password=newthing",
    "The task-force-members-of-the-risk-management-committee-2024 met.",
)
