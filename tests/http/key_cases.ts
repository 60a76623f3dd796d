/**
 * Requests about kept values whose status the API description documents.
 *
 * @module
 */
import { AppError } from "../../src/errors.ts";
import { noSuchServer, notForEveryone, termsChanged } from "../../src/keys/failures.ts";
import type { RegistryAppServices } from "../../src/http/services.ts";
import { KEY_EXAMPLE, TERMS_EXAMPLE } from "../../src/http/openapi/examples_keys.ts";
import { bodyCases, type Case, fail, tokenCases } from "./status_cases.ts";
import { OWNER, type Stub } from "./stub_services.ts";

const SERVERS = "/api/v1/servers";
const SERVER = `${SERVERS}/weather`;

/** Answers for the server `weather` alone. */
export function stubKeys(): RegistryAppServices["keys"] {
  const only = <T>(server: string, result: T) =>
    server === "weather" ? Promise.resolve(result) : Promise.reject(noSuchServer(server));
  return {
    isKept: true,
    list: () => Promise.resolve([KEY_EXAMPLE]),
    listOfServer: (_caller, server) => only(server, [KEY_EXAMPLE]),
    terms: (_viewer, server) => only(server, TERMS_EXAMPLE),
    keep: (_caller, { server }) => only(server, undefined),
    remove: (_caller, { server }) => only(server, ["API_KEY"]),
    agree: (_caller, { server }) => only(server, ["API_KEY"]),
  };
}

function failing(use: "keep" | "remove" | "agree", error: AppError) {
  return (stub: Stub) => {
    stub.services.keys = { ...stub.services.keys, [use]: fail(error) };
  };
}

/** What every operation below a server has. */
function serverCases(operation: string, method: string, rest: string, body?: unknown): Case[] {
  const path = `${SERVER}/keys${rest}`;
  const base = { operation, method, as: "somebody-else", body };
  return [
    { ...base, status: 200, path },
    { ...base, status: 404, path: `${SERVERS}/nothing/keys${rest}` },
    { ...base, status: 404, name: "no name", path: `${SERVERS}/NO_NAME/keys${rest}` },
    ...tokenCases(operation, method, path, body),
  ];
}

/** Kept values of users, and of all users of a server. */
export function keyCases(): Case[] {
  const value = { value: "s3cr3t" };
  const one = { path: `${SERVER}/keys/API_KEY`, as: OWNER };
  const keep = { ...one, operation: "keepKey", method: "PUT", body: value };
  const remove = { ...one, operation: "removeKey", method: "DELETE" };
  const closed = new AppError("conflict", "Nothing is kept");
  return [
    { operation: "listKeys", status: 200, path: "/api/v1/auth/me/keys", as: OWNER },
    ...tokenCases("listKeys", "GET", "/api/v1/auth/me/keys"),
    ...serverCases("listServerKeys", "GET", ""),
    ...serverCases("removeKeys", "DELETE", ""),
    ...serverCases("agreeKeys", "POST", "/agree"),
    ...serverCases("keepKey", "PUT", "/API_KEY", value),
    ...bodyCases("keepKey", "PUT", one.path),
    { ...keep, status: 400, name: "no variable", path: `${SERVER}/keys/1-A` },
    { ...keep, status: 403, arrange: failing("keep", notForEveryone("weather")) },
    { ...keep, status: 409, arrange: failing("keep", closed) },
    {
      operation: "agreeKeys",
      method: "POST",
      as: OWNER,
      path: `${SERVER}/keys/agree?terms=old`,
      status: 409,
      arrange: failing("agree", termsChanged("weather")),
    },
    ...serverCases("removeKey", "DELETE", "/API_KEY"),
    { ...remove, status: 400, name: "another audience", path: `${one.path}?for=all` },
    { ...remove, status: 403, arrange: failing("remove", notForEveryone("weather")) },
  ];
}
