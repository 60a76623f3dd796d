/**
 * The caller's account as a whole: taking it along, and leaving.
 *
 * @module
 */
import { z } from "zod";
import { AccountExport, DeletedAccount } from "../../../account/schema.ts";
import { requireCaller } from "../../callers.ts";
import { type Operation, operation } from "../../operation.ts";
import { EXPORT_EXAMPLE } from "../../openapi/examples_account.ts";
import { BEARER, failures, json } from "../../openapi/responses.ts";
import type { RegistryAppServices } from "../../services.ts";

const COMMON = { tags: ["Identity"], security: BEARER };
const status = "success" as const;

const ExportResponse = z.object({ status: z.literal("success"), account: AccountExport })
  .meta({ id: "AccountExportResponse" });

const DeletedResponse = DeletedAccount.extend({
  status: z.literal("success"),
  message: z.string(),
}).meta({ id: "AccountDeleted" });

const Confirmation = z.strictObject({
  username: z.string().max(100).meta({ description: "Your username, to confirm it" }),
});

/** Answers with everything that is kept of the caller. */
export function exportAccount({ identity, account }: RegistryAppServices): Operation {
  return operation({
    ...COMMON,
    operationId: "exportAccount",
    summary: "Take your data along",
    description: "Everything that this service keeps of you, as JSON. No values of keys.",
    responses: {
      200: json(ExportResponse, "Your data", { example: { status, account: EXPORT_EXAMPLE } }),
      ...failures(400, 401, 500, 503),
    },
    middleware: [requireCaller(identity)] as const,
  }, async (c) => {
    const exported = await account.export(c.get("caller"));
    return c.json({ status, account: exported }, 200, { "Cache-Control": "no-store" });
  });
}

/** Deletes the caller's account. */
export function deleteAccount({ identity, account }: RegistryAppServices): Operation {
  return operation({
    ...COMMON,
    operationId: "deleteAccount",
    summary: "Delete your account",
    description: "At once and for good: your keys, tokens and sign-ins, and the servers that " +
      "nobody else owns. Servers under an author name with other owners go to those. Your " +
      "username, and author names that only you own, stay taken. Not with an API token, and not by applications " +
      "that you have allowed to act for you (403).",
    request: { query: Confirmation },
    responses: {
      200: json(DeletedResponse, "The account is gone", {
        example: { status, message: "Deleted jane-doe", removed: ["weather"], passed_on: [] },
      }),
      ...failures(400, 401, 403, 500, 503),
    },
    middleware: [requireCaller(identity)] as const,
  }, async (c) => {
    const { username } = c.req.valid("query");
    const context = { requestId: c.get("requestId") };
    const deleted = await account.delete(c.get("caller"), username, context);
    return c.json({ status, message: `Deleted ${username}`, ...deleted }, 200);
  });
}
