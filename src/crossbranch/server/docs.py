"""The OpenAPI page: one HTML page made from the description, without anything from outside."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape
from typing import Any

import msgspec
from starlette.responses import HTMLResponse

_POLICY = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"
_STYLE = """
:root{color-scheme:light dark}
body{font:16px/1.5 system-ui,sans-serif;max-width:60rem;margin:auto;padding:1rem}
h2{border-top:1px solid #8888;padding-top:1rem}
code,pre{font-family:ui-monospace,monospace;font-size:.9em}
table{border-collapse:collapse;width:100%}
th,td{text-align:left;vertical-align:top;padding:.25rem .75rem .25rem 0}
.method{font-weight:bold}
@media (max-width:40rem){td,th{display:block;padding:.1rem 0}}
"""


def docs_page(schema: dict[str, Any]) -> HTMLResponse:
    """Return the page about an API."""
    page = "".join(_page(schema))
    return HTMLResponse(page, headers={"content-security-policy": _POLICY})


def _page(schema: dict[str, Any]) -> Iterator[str]:
    info = schema["info"]
    title = escape(f"{info['title']} {info['version']}: the API")
    yield (
        '<!doctype html><html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width">'
        f"<title>{title}</title><style>{_STYLE}</style></head><body><main><h1>{title}</h1>"
        '<p>Requests and answers are JSON. <a href="openapi.json">openapi.json</a> describes them'
        " for programs.</p><nav><ul>"
    )
    operations = [
        (method, path, operation)
        for path, methods in schema["paths"].items()
        for method, operation in methods.items()
    ]
    for method, path, operation in operations:
        name = escape(operation["operationId"])
        yield f'<li><a href="#{name}"><code>{method.upper()} {escape(path)}</code></a></li>'
    yield "</ul></nav>"
    for method, path, operation in operations:
        yield from _operation(method, path, operation)
    yield "<h2>Types</h2>"
    for name, kind in schema["components"]["schemas"].items():
        yield from _type(name, kind)
    yield "</main></body></html>"


def _operation(method: str, path: str, operation: dict[str, Any]) -> Iterator[str]:
    name = escape(operation["operationId"])
    yield f'<h2 id="{name}"><code>{method.upper()} {escape(path)}</code></h2>'
    yield f"<p>{escape(operation['summary'])}</p><table>"
    for parameter in operation.get("parameters", ()):
        text = escape(parameter["description"])
        yield _row(f"<code>?{escape(parameter['name'])}=</code>", text)
    if "requestBody" in operation:
        yield _row("body", _kinds_of(operation["requestBody"]["content"]))
    for code, response in operation["responses"].items():
        text = escape(response["description"])
        yield _row(code, f"{text} {_kinds_of(response['content'])}")
    yield "</table>"


def _type(name: str, kind: dict[str, Any]) -> Iterator[str]:
    yield f'<h3 id="type-{escape(name)}">{escape(name)}</h3>'
    yield f"<p>{escape(kind.get('description', ''))}</p><table>"
    required = kind.get("required", ())
    for field, value in kind.get("properties", {}).items():
        text = _in_words(value)
        if field in required:
            text += ", required"
        elif value.get("default") not in (None, "", [], {}):
            text += (
                f", default <code>{escape(msgspec.json.encode(value['default']).decode())}</code>"
            )
        if "description" in value:
            text += f". {escape(value['description'])}"
        yield _row(f"<code>{escape(field)}</code>", text)
    yield "</table>"


def _row(head: str, cell: str) -> str:
    return f"<tr><th scope=row>{head}</th><td>{cell}</td></tr>"


def _kinds_of(content: dict[str, Any]) -> str:
    return " or ".join(_in_words(one["schema"]) for one in content.values())


def _in_words(schema: dict[str, Any]) -> str:
    """Return a type as HTML."""
    if "$ref" in schema:
        name = escape(schema["$ref"].rpartition("/")[2])
        return f'<a href="#type-{name}">{name}</a>'
    if "anyOf" in schema:
        kinds = [one for one in schema["anyOf"] if one != {"type": "null"}]
        return " or ".join(dict.fromkeys(map(_in_words, kinds)))
    if "enum" in schema:
        return " | ".join(f"<code>{escape(str(one))}</code>" for one in schema["enum"] if one != "")
    kind = schema.get("type", "any value")
    if kind == "array" and "items" in schema and isinstance(schema["items"], dict):
        return f"list of {_in_words(schema['items'])}"
    limits = {"minimum": "from", "maximum": "to"}
    found = [f"{word} {schema[key]:g}" for key, word in limits.items() if key in schema]
    return " ".join([escape(str(kind)), *found])
