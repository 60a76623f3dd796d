"""A server made of a FastAPI application of this program."""

import enum

from fastapi import APIRouter, Body, Depends, FastAPI, Header, HTTPException, Query, Response
from fastmcp import FastMCP
from fastmcp.server.openapi import MCPType, RouteMap
from pydantic import BaseModel, Field
from table import call

app = FastAPI(title="Pets", version="1.0")
pets = {1: {"id": 1, "name": "Ada", "kind": "cat"}, 2: {"id": 2, "name": "Bob", "kind": "dog"}}


class Kind(enum.Enum):
    CAT = "cat"
    DOG = "dog"


class NewPet(BaseModel):
    name: str = Field(min_length=2, description="Its name")
    kind: Kind = Kind.CAT
    tags: list[str] = []


class Pet(NewPet):
    id: int


def greeting(accept_language: str = Header("en")) -> str:
    return {"de": "Hallo"}.get(accept_language, "Hello")


async def checked(limit: int = Query(10, ge=1, le=100)) -> int:
    return limit


@app.get("/pets", tags=["list"], summary="List pets")
def list_pets(kind: Kind | None = None, limit: int = Depends(checked)) -> list[Pet]:
    """All pets, or those of a kind."""
    found = [pet for pet in pets.values() if kind is None or pet["kind"] == kind.value]
    return [Pet(**pet) for pet in found[:limit]]


@app.get("/pets/{pet_id}", operation_id="get_pet")
async def get_pet(pet_id: int) -> Pet:
    if pet_id not in pets:
        raise HTTPException(404, "No such pet")
    return Pet(**pets[pet_id])


@app.post("/pets", status_code=201)
async def add_pet(pet: NewPet) -> Pet:
    made = {"id": len(pets) + 1, **pet.model_dump(mode="json")}
    pets[made["id"]] = made
    return Pet(**made)


@app.delete("/pets/{pet_id}", status_code=204)
def remove_pet(pet_id: int) -> None:
    pets.pop(pet_id, None)


@app.put("/pets/{pet_id}/name")
def rename(pet_id: int, name: str = Body(embed=True), loud: bool = False) -> dict:
    pets[pet_id]["name"] = name.upper() if loud else name
    return pets[pet_id]


@app.get("/hello/{name}")
def hello(name: str, words: str = Depends(greeting)) -> str:
    return f"{words} {name}"


@app.get("/plain")
def plain() -> Response:
    return Response("just text", media_type="text/plain")


@app.get("/broken")
def broken():
    raise ValueError("broken")


@app.get("/health", include_in_schema=False)
def health():
    return {"status": "ok"}


router = APIRouter(prefix="/admin", tags=["admin"])


@router.get("/stats")
async def stats() -> dict[str, int]:
    return {"pets": len(pets)}


app.include_router(router)


@app.middleware("http")
async def named(request, call_next):
    response = await call_next(request)
    response.headers["x-server"] = "pets"
    return response


mcp = FastMCP.from_fastapi(
    app,
    name="Pets",
    route_maps=[
        RouteMap(pattern=r"^/admin/.*", mcp_type=MCPType.RESOURCE),
        RouteMap(methods=["GET"], pattern=r"^/hello/.*", mcp_type=MCPType.RESOURCE_TEMPLATE),
    ],
)


@mcp.tool
def added() -> str:
    return "beside the API"


REQUESTS = [
    ("tools/list", {}),
    ("resources/list", {}),
    ("resources/templates/list", {}),
    call("list_pets_pets_get"),
    call("list_pets_pets_get", kind="dog"),
    call("list_pets_pets_get", kind="dog", limit=1),
    call("list_pets_pets_get", limit=0),
    call("list_pets_pets_get", kind="cow"),
    call("get_pet", pet_id=1),
    call("get_pet", pet_id=99),
    call("get_pet", pet_id="x"),
    call("add_pet_pets_post", name="Cleo", kind="dog", tags=["small"]),
    call("add_pet_pets_post", name="C"),
    call("add_pet_pets_post"),
    call("rename_pets", pet_id=2, name="Rex", loud=True),
    call("rename_pets", pet_id=2),
    call("remove_pet_pets", pet_id=1),
    call("list_pets_pets_get"),
    call("plain_plain_get"),
    call("broken_broken_get"),
    call("added"),
    call("missing"),
    ("resources/read", {"uri": "resource://stats_admin_stats_get"}),
    ("resources/read", {"uri": "resource://hello_hello/ada"}),
]
