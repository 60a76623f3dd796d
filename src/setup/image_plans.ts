/**
 * The images that every installation has: what sessions of servers that import these modules begin
 * with. A server gets the largest that has nothing but what it imports.
 *
 * @module
 */

/** Modules whose packages setup imports into a snapshot, so that servers begin with them. */
export interface ImagePlan {
  /** Modules that a server imports to get it: their packages, and all that those require, are in it. */
  imports: string[];
  /** What else is imported while it is made: modules that packages import when they are first used. */
  modules: string[];
  /** Python that must run in a session that begins with it. */
  trial: string;
}

const PYDANTIC: ImagePlan = {
  imports: ["pydantic"],
  modules: [
    "pydantic._internal._serializers",
    "pydantic.alias_generators",
    "pydantic.dataclasses",
    "pydantic.deprecated.class_validators",
    "pydantic.functional_serializers",
    "pydantic.networks",
    "pydantic.root_model",
    "pydantic.validate_call_decorator",
  ],
  trial: `
from pydantic import BaseModel, ValidationError
class Trial(BaseModel):
    number: int
assert Trial(number="1").model_dump_json() == '{"number":1}'
try:
    Trial(number="x")
except ValidationError as error:
    assert error.errors()[0]["type"] == "int_parsing"
else:
    raise AssertionError("no error")
`,
};

const HTTPX: ImagePlan = {
  imports: ["httpx"],
  modules: ["anyio._backends._asyncio"],
  trial: `
import httpx
with httpx.Client() as client:
    assert client.build_request("GET", "https://example.com/").url.host == "example.com"
`,
};

export const IMAGES: Readonly<Record<string, ImagePlan>> = {
  pydantic: PYDANTIC,
  httpx: HTTPX,
  "httpx-pydantic": {
    imports: [...HTTPX.imports, ...PYDANTIC.imports],
    modules: [...HTTPX.modules, ...PYDANTIC.modules],
    trial: HTTPX.trial + PYDANTIC.trial,
  },
};
