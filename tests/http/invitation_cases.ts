/**
 * Requests for invitations whose status the API description documents.
 *
 * @module
 */
import { accountExists } from "../../src/issuer/failures.ts";
import { bodyCases, type Case, fail, tokenCases } from "./status_cases.ts";
import { ADMIN, OWNER } from "./stub_services.ts";

const PATH = "/api/v1/invitations";
const body = { email: "grace@example.com" };

/** Invites. */
export function invitationCases(): Case[] {
  const invite = { operation: "inviteUser", method: "POST", path: PATH, as: ADMIN, body };
  return [
    { ...invite, status: 200 },
    ...["", "nobody", "a@b@c", "grace@example.com\nBcc: all@example.com", "x".repeat(300)].map(
      (email): Case => ({ ...invite, status: 400, name: email.slice(0, 20), body: { email } }),
    ),
    { ...invite, status: 403, as: OWNER },
    {
      ...invite,
      status: 409,
      arrange({ services }) {
        services.inviteUser = fail(accountExists(body.email));
      },
    },
    ...tokenCases("inviteUser", "POST", PATH, body),
    ...bodyCases("inviteUser", "POST", PATH).map((each) => ({ ...each, as: ADMIN })),
  ];
}
