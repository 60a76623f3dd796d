/**
 * Invitations of administrators, for installations that cannot send mail or that choose their users.
 *
 * @module
 */
import { z } from "zod";
import { Invitation, InviteUser } from "../../issuer/accounts/invitation_schema.ts";
import { requireAdministrator, requireCaller } from "../callers.ts";
import { BEARER, failures, json } from "../openapi/responses.ts";
import { type Operation, operation } from "../operation.ts";
import { jsonBody } from "../plumbing/json_body.ts";
import type { RegistryAppServices } from "../services.ts";

const Invited = z.object({
  status: z.literal("success"),
  message: z.string(),
  invitation: Invitation,
}).meta({ id: "AccountInvited" });

const status = "success" as const;
const email = "grace@example.com";

/** Make a link with which somebody creates an account. */
export function inviteUser({ identity, inviteUser }: RegistryAppServices): Operation {
  return operation({
    tags: ["Identity"],
    security: BEARER,
    operationId: "inviteUser",
    summary: "Make a link that creates an account",
    description:
      "Administrators only. Send the link to the owner of the address, who chooses the " +
      "password; it works once, for seven days, and replaces an earlier one for the address. 409 " +
      "if the address has an account, or if the registry uses another identity provider.",
    request: {
      body: {
        required: true,
        content: { "application/json": { schema: InviteUser, example: { email } } },
      },
    },
    responses: {
      200: json(Invited, "The link", {
        example: {
          status,
          message: `Send the link to ${email}`,
          invitation: {
            email,
            url: "https://berth.example.com/oidc/invitation?token=4nVx0pGq",
            expires_at: "2026-05-08T12:00:00.000Z",
          },
        },
      }),
      ...failures(400, 401, 403, 409, 413, 415, 500, 503),
    },
    middleware: [requireCaller(identity), requireAdministrator(), jsonBody()] as const,
  }, async (c) => {
    const { email } = c.req.valid("json");
    const context = { requestId: c.get("requestId") };
    const invitation = await inviteUser(c.get("caller").userId, email, context);
    return c.json({ status, message: `Send the link to ${email}`, invitation }, 200);
  });
}
