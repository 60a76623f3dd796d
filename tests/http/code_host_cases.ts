/**
 * Requests about tokens for code hosts whose status the API description documents.
 *
 * @module
 */
import { AppError } from "../../src/errors.ts";
import { HOST_TOKEN_EXAMPLE } from "../../src/http/openapi/examples_keys.ts";
import type { RegistryAppServices } from "../../src/http/services.ts";
import { hostNotServed } from "../../src/repository/failures.ts";
import { bodyCases, type Case, fail, tokenCases } from "./status_cases.ts";
import { OWNER, type Stub } from "./stub_services.ts";

const HOSTS = "/api/v1/auth/me/code-hosts";

/** Answers for `github.com` alone. */
export function stubCodeHosts(): RegistryAppServices["codeHosts"] {
  const only = (host: string) =>
    host === "github.com" ? Promise.resolve() : Promise.reject(hostNotServed(host));
  return {
    hosts: [{ host: "github.com", kind: "github", app: true }],
    codeOf: () => Promise.resolve("0c6f1c1e-9d1a-4b7e-8a52-2f6f0f3b1a77"),
    isKept: true,
    list: () => Promise.resolve([HOST_TOKEN_EXAMPLE]),
    keep: (_caller, host) => only(host),
    remove: (_caller, { host }) => only(host),
  };
}

/** Tokens of users for code hosts. */
export function codeHostCases(): Case[] {
  const path = `${HOSTS}/github.com`;
  const elsewhere = `${HOSTS}/git.example.com`;
  const body = { token: "ghp_s3cr3t" };
  const keep = { operation: "keepHostToken", method: "PUT", as: OWNER, body };
  const remove = { operation: "removeHostToken", method: "DELETE", as: OWNER };
  const closed = (stub: Stub) => {
    stub.services.codeHosts.keep = fail(new AppError("conflict", "Nothing is kept"));
  };
  return [
    { operation: "listCodeHosts", status: 200, path: HOSTS, as: OWNER },
    ...tokenCases("listCodeHosts", "GET", HOSTS),
    { ...keep, status: 200, path },
    { ...keep, status: 404, path: elsewhere },
    { ...keep, status: 409, path, arrange: closed },
    { ...keep, status: 400, name: "no path", path, body: { ...body, path: "../x y" } },
    ...tokenCases("keepHostToken", "PUT", path, body),
    ...bodyCases("keepHostToken", "PUT", path),
    { ...remove, status: 200, path },
    { ...remove, status: 404, path: elsewhere },
    { ...remove, status: 400, name: "no path", path: `${path}?path=/` },
    ...tokenCases("removeHostToken", "DELETE", path),
  ];
}
