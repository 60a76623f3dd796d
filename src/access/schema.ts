/**
 * Who may read a server, as the API takes and shows it.
 *
 * @module
 */
import { z } from "zod";
import { nameText } from "../text/characters.ts";

/** Who may read a server. */
export const Visibility = z.enum(["public", "internal", "private"]).meta({
  id: "Visibility",
  description: "public: everybody reads it. internal: every signed-in user. private: its owners, " +
    "administrators, and the users and groups that its owners name",
});
export type Visibility = z.infer<typeof Visibility>;

/** Users of a server, and groups of it. */
export const READERS_MAX = 200;

/** A group, as the identity provider names it. */
export const GroupName = nameText(z.string().min(1).max(200))
  .refine((name) => name.trim() === name, "must not start or end with whitespace")
  .meta({ description: "As the identity provider names it", example: "weather-team" });

/** Who may read a server, for those who may change it. */
export const ServerAccess = z.object({
  visibility: Visibility,
  users: z.array(z.string()).meta({
    description: "Usernames. They count while the server is private",
    example: ["joan"],
  }),
  groups: z.array(z.string()).meta({
    description: "They count while the server is private",
    example: ["weather-team"],
  }),
}).meta({ id: "ServerAccess" });
export type ServerAccess = z.infer<typeof ServerAccess>;
