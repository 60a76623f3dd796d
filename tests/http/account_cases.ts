/**
 * Requests about accounts whose status the API description documents.
 *
 * @module
 */
import { notByApiToken, notConfirmed } from "../../src/account/failures.ts";
import type { AppError } from "../../src/errors.ts";
import { EXPORT_EXAMPLE } from "../../src/http/openapi/examples_account.ts";
import type { RegistryAppServices } from "../../src/http/services.ts";
import { type Case, fail, tokenCases } from "./status_cases.ts";
import { OWNER, type Stub } from "./stub_services.ts";

const ME = "/api/v1/auth/me";
const DELETED = { removed: ["weather"], passed_on: [] };

/** Answers for anybody. */
export function stubAccount(): RegistryAppServices["account"] {
  return {
    export: () => Promise.resolve(EXPORT_EXAMPLE),
    preview: () => Promise.resolve(DELETED),
    delete: () => Promise.resolve(DELETED),
  };
}

function refusing(error: AppError) {
  return (stub: Stub) => {
    stub.services.account = { ...stub.services.account, delete: fail(error) };
  };
}

/** Taking one's data along, and leaving. */
export function accountCases(): Case[] {
  const leave = {
    operation: "deleteAccount",
    method: "DELETE",
    path: `${ME}?username=${OWNER}`,
    as: OWNER,
  };
  return [
    { operation: "exportAccount", status: 200, path: `${ME}/export`, as: OWNER },
    ...tokenCases("exportAccount", "GET", `${ME}/export`),
    { ...leave, status: 200 },
    { ...leave, status: 400, name: "no username", path: ME },
    { ...leave, status: 400, name: "another username", arrange: refusing(notConfirmed()) },
    { ...leave, status: 403, arrange: refusing(notByApiToken()) },
    ...tokenCases("deleteAccount", "DELETE", leave.path),
  ];
}
