"""Servers made of OpenAPI descriptions; the API is a function of this file."""

import json

import httpx
from fastmcp import FastMCP
from fastmcp.server.openapi import MCPType, RouteMap
from table import call

PET = {
    "type": "object",
    "properties": {
        "id": {"type": "integer"},
        "name": {"type": "string", "description": "Its name"},
        "owner": {"$ref": "#/components/schemas/Owner"},
        "tag": {"type": "string", "nullable": True},
    },
    "required": ["id", "name"],
}
OWNER = {"type": "object", "properties": {"email": {"type": "string"}}}
ID = {"name": "petId", "in": "path", "required": True, "schema": {"type": "integer"}}


def answers(schema, code="200"):
    return {code: {"description": "ok", "content": {"application/json": {"schema": schema}}}}


def body(schema, **more):
    return {"content": {"application/json": {"schema": schema}}, **more}


PETS = {"$ref": "#/components/schemas/Pet"}
SPEC = {
    "openapi": "3.0.3",
    "info": {"title": "Pets", "version": "1"},
    "components": {"schemas": {"Pet": PET, "Owner": OWNER, "Unused": {"type": "string"}}},
    "paths": {
        "/pets": {
            "get": {
                "operationId": "listPets",
                "summary": "Lists",
                "tags": ["read"],
                "parameters": [
                    {"name": "limit", "in": "query", "description": "How many",
                     "schema": {"type": "integer", "default": 5, "maximum": 10}},
                    {"name": "X-Trace", "in": "header", "schema": {"type": "string"}},
                ],
                "responses": answers({"type": "array", "items": PETS}),
            },
            "post": {
                "operationId": "create_pet__internal",
                "description": "Creates a pet",
                "requestBody": body(PETS, required=True, description="The pet"),
                "responses": answers(PETS, "201"),
            },
        },
        "/pets/{petId}": {
            "parameters": [{**ID, "description": "Which pet"}],
            "get": {"operationId": "get-pet.by id", "responses": answers(PETS)},
            "put": {
                "summary": "Change a pet",
                "parameters": [{"name": "name", "in": "query", "schema": {"type": "string"}}],
                "requestBody": body(PETS),
                "responses": {"204": {"description": "none"}},
            },
            "delete": {"responses": {"default": {"description": "any"}}},
        },
        "/names": {
            "post": {
                "operationId": "names",
                "requestBody": body({"type": "array", "items": {"type": "string"}, "title": "The Names"},
                                    required=True),
                "responses": answers({"type": "object", "additionalProperties": {"type": "integer"}}),
            },
        },
        "/text": {"get": {"operationId": "text", "responses": {"200": {
            "description": "t", "content": {"text/plain": {"schema": {"type": "string"}}}}}}},
        "/status/{code}": {"get": {"operationId": "status", "parameters": [
            {"name": "code", "in": "path", "required": True, "schema": {"type": "integer"}}],
            "responses": {}}},
        "/fixed": {"get": {"operationId": "fixed", "tags": ["res"], "responses": answers(OWNER)}},
        "/things/{kind}/{key}": {"get": {"operationId": "thing", "tags": ["tpl"], "parameters": [
            {"name": key, "in": "path", "required": True, "schema": {"type": "string"}}
            for key in ("kind", "key")], "responses": answers(OWNER)}},
        "/hidden": {"get": {"operationId": "hidden", "responses": {}}},
    },
}  # fmt: skip


def api(request):
    """Answer as the API: with what was asked."""
    path = request.url.path
    if path == "/text":
        return httpx.Response(200, text="plain words")
    if path.startswith("/status/"):
        code = int(path.rpartition("/")[2])
        return httpx.Response(code, json={"detail": "no"} if code == 404 else None)
    if request.method == "GET" and path == "/pets":
        return httpx.Response(200, json=[{"id": 1, "name": str(request.url.query.decode())}])
    if request.method in ("PUT", "DELETE"):
        return httpx.Response(204)
    seen = {"id": 2, "name": f"{request.method} {path}"}
    if request.content:
        seen["tag"] = json.dumps(json.loads(request.content), sort_keys=True)
    if "x-trace" in request.headers:
        seen["name"] += request.headers["x-trace"]
    if path == "/names":
        return httpx.Response(200, json={"count": len(json.loads(request.content))})
    return httpx.Response(200, json=seen)


client = httpx.AsyncClient(base_url="https://api.example", transport=httpx.MockTransport(api))
mcp = FastMCP.from_openapi(
    SPEC,
    client,
    name="pets",
    tags={"all"},
    mcp_names={"text": "words"},
    route_maps=[
        RouteMap(pattern="^/hidden", mcp_type=MCPType.EXCLUDE),
        RouteMap(tags={"res"}, mcp_type=MCPType.RESOURCE, mcp_tags={"extra"}),
        RouteMap(methods=["GET"], tags={"tpl"}, mcp_type=MCPType.RESOURCE_TEMPLATE),
    ],
)


@mcp.tool
def own() -> str:
    return "own"


REQUESTS = [
    ("tools/list", {}),
    ("resources/list", {}),
    ("resources/templates/list", {}),
    call("listPets"),
    call("listPets", limit=3),
    call("listPets", limit=None),
    call("create_pet", id=1, name="Rex"),
    call("create_pet", id=1, name="Rex", owner={"email": "a@b.c"}, other=5),
    call("get_pet_by_id", petId=7),
    call("Change_a_pet", petId=7, name="n", id=2, name__query="q"),
    call("DELETE_petspetId", petId=1),
    call("names", the_names=["a", "b"]),
    call("words"),
    call("status", code=404),
    call("status", code=500),
    call("own"),
    call("hidden"),
    ("resources/read", {"uri": "resource://fixed"}),
    ("resources/read", {"uri": "resource://thing/a/b"}),
]
