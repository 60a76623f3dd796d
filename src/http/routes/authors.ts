/**
 * Author names and their owners.
 *
 * @module
 */
import { z } from "zod";
import {
  AuthorOwners,
  OwnAuthors,
  OwnerInvitation,
} from "../../registry/ownership/owners_schema.ts";
import { requireCaller } from "../callers.ts";
import { AUTHORS_EXAMPLE, OWNERS_EXAMPLE } from "../openapi/examples.ts";
import { BEARER, failures, json } from "../openapi/responses.ts";
import { type Operation, operation } from "../operation.ts";
import type { RegistryAppServices } from "../services.ts";

const Success = z.literal("success");

const OwnersResponse = z.object({ status: Success, ...AuthorOwners.shape }).meta({
  id: "OwnersResponse",
});
const AuthorsResponse = z.object({ status: Success, ...OwnAuthors.shape }).meta({
  id: "AuthorsResponse",
});
const InvitationResponse = z.object({
  status: Success,
  message: z.string(),
  invitation: OwnerInvitation,
})
  .meta({ id: "InvitationResponse" });
const Changed = z.object({ status: Success, message: z.string() }).meta({ id: "OwnersChanged" });

// Any text is let through: a name that nobody can have is not found, not invalid.
const AuthorParameter = z.object({
  author: z.string().meta({ description: "The author name, case-insensitive", example: "acme" }),
});
const OwnerParameters = AuthorParameter.extend({
  username: z.string().meta({ example: "joan" }),
});

function changed(message: string) {
  return json(Changed, "Done", { example: { status: "success", message } });
}

const COMMON = { tags: ["Authors"], security: BEARER };
const status = "success" as const;

export function listAuthors({ identity, authors }: RegistryAppServices): Operation {
  return operation({
    ...COMMON,
    operationId: "listAuthors",
    summary: "List author names you own or are invited to own",
    responses: {
      200: json(AuthorsResponse, "Your author names", {
        example: { status: "success", ...AUTHORS_EXAMPLE },
      }),
      ...failures(400, 401, 500, 503),
    },
    middleware: [requireCaller(identity)] as const,
  }, async (c) => {
    return c.json({ status, ...await authors.list(c.get("caller")) }, 200);
  });
}

export function listOwners({ identity, authors }: RegistryAppServices): Operation {
  return operation({
    ...COMMON,
    operationId: "listOwners",
    summary: "List the owners of an author name",
    description: "Owners and administrators only.",
    request: { params: AuthorParameter },
    responses: {
      200: json(OwnersResponse, "Owners and open invitations", {
        example: { status: "success", ...OWNERS_EXAMPLE },
      }),
      ...failures(400, 401, 403, 404, 500, 503),
    },
    middleware: [requireCaller(identity)] as const,
  }, async (c) => {
    const { author } = c.req.valid("param");
    return c.json({ status, ...await authors.owners(c.get("caller"), author) }, 200);
  });
}

export function inviteOwner({ identity, authors }: RegistryAppServices): Operation {
  return operation({
    ...COMMON,
    operationId: "inviteOwner",
    summary: "Invite a user to own an author name",
    description: "Owners and administrators only. The invitation is valid for 14 days; sending " +
      "it again renews it. All owners of a name can publish under it, change each " +
      "other's servers there, and invite and remove owners. A username cannot have " +
      "other owners.",
    request: { params: OwnerParameters },
    responses: {
      200: json(InvitationResponse, "The user was invited", {
        example: {
          status: "success",
          message: 'Invited "joan" to own "Acme"',
          invitation: OWNERS_EXAMPLE.invitations[0],
        },
      }),
      ...failures(400, 401, 403, 404, 409, 500, 503),
    },
    middleware: [requireCaller(identity)] as const,
  }, async (c) => {
    const { author, username } = c.req.valid("param");
    const context = { requestId: c.get("requestId") };
    const invitation = await authors.invite(c.get("caller"), author, username, context);
    const message = `Invited "${username}" to own "${author}"`;
    return c.json({ status, message, invitation }, 200);
  });
}

export function removeOwner({ identity, authors }: RegistryAppServices): Operation {
  return operation({
    ...COMMON,
    operationId: "removeOwner",
    summary: "Remove an owner of an author name, or withdraw an invitation",
    description: "Owners and administrators only. Remove yourself to leave. The removed owner's " +
      "servers under the name go to the owner who removes them, or otherwise to the " +
      "one who has owned the name longest. The last owner cannot be removed.",
    request: { params: OwnerParameters },
    responses: {
      200: changed('"joan" is no longer an owner or invitee of "Acme"'),
      ...failures(400, 401, 403, 404, 409, 500, 503),
    },
    middleware: [requireCaller(identity)] as const,
  }, async (c) => {
    const { author, username } = c.req.valid("param");
    const context = { requestId: c.get("requestId") };
    const name = await authors.remove(c.get("caller"), author, username, context);
    return c.json({
      status,
      message: `"${username}" is no longer an owner or invitee of "${name}"`,
    }, 200);
  });
}

export function acceptInvitation({ identity, authors }: RegistryAppServices): Operation {
  return operation({
    ...COMMON,
    operationId: "acceptInvitation",
    summary: "Accept an invitation to own an author name",
    description: "Invited users only.",
    request: { params: AuthorParameter },
    responses: {
      200: changed('You are now an owner of "Acme"'),
      ...failures(400, 401, 403, 404, 409, 500, 503),
    },
    middleware: [requireCaller(identity)] as const,
  }, async (c) => {
    const { author } = c.req.valid("param");
    const context = { requestId: c.get("requestId") };
    const name = await authors.answer(c.get("caller"), author, "accept", context);
    return c.json({ status, message: `You are now an owner of "${name}"` }, 200);
  });
}

export function declineInvitation({ identity, authors }: RegistryAppServices): Operation {
  return operation({
    ...COMMON,
    operationId: "declineInvitation",
    summary: "Decline an invitation to own an author name",
    description: "Invited users only.",
    request: { params: AuthorParameter },
    responses: {
      200: changed('Declined the invitation to own "Acme"'),
      ...failures(400, 401, 403, 404, 500, 503),
    },
    middleware: [requireCaller(identity)] as const,
  }, async (c) => {
    const { author } = c.req.valid("param");
    const context = { requestId: c.get("requestId") };
    const name = await authors.answer(c.get("caller"), author, "decline", context);
    return c.json({ status, message: `Declined the invitation to own "${name}"` }, 200);
  });
}
