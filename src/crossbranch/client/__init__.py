"""A client for parsing servers (extra `[client]`): text in, trees out, over HTTP.

    from crossbranch.client import Client

    with Client("http://127.0.0.1:8000") as client:
        for tree in client.parse("What should I do?"):
            print(tree)

`AsyncClient` has the same methods as coroutines.

sync, asynchronous  the two clients
calls               what is sent, and what is made of the answer, the same for both
retrying            when a call is repeated, and how long to wait
errors              what can go wrong
"""

from crossbranch.client.asynchronous import AsyncClient
from crossbranch.client.errors import (
    ClientError,
    RefusedError,
    ServerFaultError,
    UnavailableError,
)
from crossbranch.client.sync import Client

__all__ = [
    "AsyncClient",
    "Client",
    "ClientError",
    "RefusedError",
    "ServerFaultError",
    "UnavailableError",
]
