/**
 * Author names, their owners and invitations, as responses show them.
 *
 * @module
 */
import { z } from "zod";

const username = z.string().meta({ example: "joan" });
const authorName = z.string().meta({
  description: "Spelled as when it was first claimed",
  example: "Acme",
});

const personal = z.boolean().meta({
  description: "Whether it is a username, which cannot have other owners",
  example: false,
});

/** An invitation to own an author name. */
export const OwnerInvitation = z.object({
  username: username.meta({ description: "Username of the invited user" }),
  invited_by: username.meta({ example: "jane-doe" }),
  created_at: z.iso.datetime(),
  expires_at: z.iso.datetime(),
}).meta({ id: "OwnerInvitation" });
export type OwnerInvitation = z.infer<typeof OwnerInvitation>;

/** An author name with everybody who has or may get a part in it. */
export const AuthorOwners = z.object({
  author: authorName,
  personal,
  owners: z.array(z.object({ username, since: z.iso.datetime() })).meta({
    description: "Usernames, earliest owner first",
  }),
  invitations: z.array(OwnerInvitation).meta({ description: "Open invitations" }),
}).meta({ id: "AuthorOwners" });
export type AuthorOwners = z.infer<typeof AuthorOwners>;

/** The author names of a user. */
export const OwnAuthors = z.object({
  authors: z.array(z.object({
    author: authorName,
    personal,
    owners: z.int().meta({ description: "Number of owners" }),
  })),
  invitations: z.array(z.object({
    author: authorName,
    invited_by: username,
    created_at: z.iso.datetime(),
    expires_at: z.iso.datetime(),
  })).meta({ description: "Open invitations to you" }),
}).meta({ id: "OwnAuthors" });
export type OwnAuthors = z.infer<typeof OwnAuthors>;
