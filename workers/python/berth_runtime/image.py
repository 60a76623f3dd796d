"""Building an image: what a session of a server that imports certain packages begins with.

Runs only when an image is made, in an interpreter that has met no server and no user.
"""

import gc
import importlib
import json
import sys

from . import entropy, packages
from .recorder import Recorder

# By module: code that does what servers do first, so that no session has to. It must read no
# environment variable, as each session has its own: pydantic does when an error becomes text.
_FIRST_USES = {
    "pydantic": """
from typing import Annotated, Literal

from pydantic import (
    BaseModel, ConfigDict, Field, TypeAdapter, ValidationError, create_model, field_validator,
    model_validator,
)
class Model(BaseModel):
    model_config = ConfigDict(extra="forbid")
    number: Annotated[int, Field(ge=0, description="d")]
    text: str | None = None
    kind: Literal["a", "b"] = "a"
    items: list[str] = Field(default_factory=list)
    more: dict[str, float] = {}
    @field_validator("text")
    @classmethod
    def check(cls, value):
        return value
    @model_validator(mode="after")
    def check_all(self):
        return self
Model.model_json_schema()
Model.model_validate({"number": 1}).model_dump_json()
TypeAdapter(list[Model]).json_schema()
create_model("Other", x=(int, 1))(x=2)
try:
    Model(number="x")
except ValidationError as error:
    error.error_count()
""",
    "httpx": """
import httpx
with httpx.Client(headers={"a": "b"}, timeout=1.0, trust_env=False) as client:
    client.build_request("POST", "https://example.com/x", params={"a": "1"}, json={"b": 2})
httpx.AsyncClient(trust_env=False)
httpx.Response(200, json={}).json()
""",
}


def _import(name):
    """Import a module of a package, and do with it what servers do first."""
    importlib.import_module(name)
    if name in _FIRST_USES:
        exec(_FIRST_USES[name], {"__name__": "berth_first_use"})


def build(names, modules, drawn, own):
    """Import modules of packages, whose files are there while the image is made.

    `drawn`: gives the paths of compiled modules that have drawn random values since it was asked.
    `own`: what servers are told of packages of their own, as JSON; None where they have none.

    Returns JSON: the environment variables that were read, the modules that may be in no image,
    each with the reason, and the packages that are in it.
    """
    if own is not None:
        packages.bring(json.loads(own))
    packages.begin_image(names)
    recorder = Recorder(drawn)
    for module in modules:
        recorder.run(module, lambda name=module: _import(name))
    gc.collect()
    # Of what was resolved for servers, the modules need not import all.
    used = packages.end_image(names if own is None else packages.imported(names))
    entropy.remember(recorder.generators)
    facts = {
        "reads": sorted(recorder.reads),
        "refused": recorder.refused,
        "packages": used,
    }
    del sys.modules[Recorder.__module__]
    return json.dumps(facts)
