"""What both clients need of httpx2."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from crossbranch.client.errors import UnavailableError
from crossbranch.client.retrying import Answer
from crossbranch.errors import UsageError

if TYPE_CHECKING:
    import httpx2

_MOST_CONNECTIONS = 100


def library() -> Any:
    """Return the module httpx2.

    Raises:
        UsageError: It is not installed.
    """
    try:
        import httpx2
    except ImportError:
        raise UsageError(
            'httpx2 is not installed; install "crossbranch[client]" to call a server'
        ) from None
    return httpx2


def settings(url: str, token: str, timeout: float) -> dict[str, Any]:
    """Return the settings of a client."""
    if not url.startswith(("http://", "https://")):
        raise UsageError(f"the address is {url!r}, expected http://... or https://...")
    headers = {"content-type": "application/json"}
    if token:
        headers["authorization"] = f"Bearer {token}"
    limits = library().Limits(max_connections=_MOST_CONNECTIONS)
    return {"base_url": url.rstrip("/"), "headers": headers, "timeout": timeout, "limits": limits}


def answer_of(response: httpx2.Response) -> Answer:
    """Return what came back."""
    return Answer(response.status_code, response.content, response.headers.get("retry-after", ""))


def unreachable(url: str, error: Exception) -> UnavailableError:
    """Return the error for a server that does not answer."""
    reason = str(error) or type(error).__name__
    return UnavailableError(f"no answer from {url}: {reason}", code="unreachable")
