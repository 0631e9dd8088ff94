"""crossbranch serve: a parsing server."""

from __future__ import annotations

import sys

import click

from crossbranch.cli.show import say
from crossbranch.errors import UsageError

_LOCAL = ("127.0.0.1", "localhost", "::1")


@click.command(short_help="Run a parsing server.")
@click.argument("models", metavar="[MODEL]...", nargs=-1)
@click.option("--host", default=_LOCAL[0], show_default=True, help="Listen on this address.")
@click.option(
    "--port", type=click.IntRange(0, 65535), default=8000, show_default=True, help="The port."
)
@click.option(
    "--token",
    envvar="CROSSBRANCH_TOKEN",
    default="",
    help="Answer only requests with this token (or set CROSSBRANCH_TOKEN).",
)
@click.option(
    "--threads",
    type=click.IntRange(1),
    default=1,
    show_default=True,
    help="Set the number of cores for parsing.",
)
@click.option(
    "--limit",
    "limits",
    multiple=True,
    metavar="NAME=VALUE",
    help="Change a limit of requests, such as text=50000 or seconds=10; repeatable.",
)
@click.option("--device", default="cpu", show_default=True, help="Set the device, such as cuda.")
def serve(
    models: tuple[str, ...],
    *,
    host: str,
    port: int,
    token: str,
    threads: int,
    limits: tuple[str, ...],
    device: str,
) -> None:
    """Serve MODELs over HTTP: parsing, drawing, searching and converting trees.

    The first MODEL is the default one. Without any, the model en is served.

    \b
    Examples:
      crossbranch serve en
      crossbranch serve nl de --threads 4 --port 9000
      crossbranch serve en --host 0.0.0.0 --token secret
    """  # noqa: D301 - click reads \b
    try:
        import fastapi  # noqa: F401 - only to see whether it is there
        import uvicorn  # noqa: F401
    except ImportError as error:
        raise UsageError(
            f'{error.name} is not installed; install "crossbranch[server]" to run a server'
        ) from None
    from crossbranch.server.app import create_app
    from crossbranch.server.limits import Limits
    from crossbranch.server.run import open_socket
    from crossbranch.server.run import serve as run

    names = models or ("en",)
    changed = Limits().changed(limits)
    with open_socket(host, port) as opened:
        app = create_app(names, limits=changed, token=token, threads=threads, device=device)
        if not token and host not in _LOCAL:
            say("note: everybody who can reach this machine can use the server; see --token")
        shown = f"[{host}]" if ":" in host else host
        say(f"serving {', '.join(names)} on http://{shown}:{opened.getsockname()[1]}")
        sys.exit(run(app, opened))
