/**
 * Requests of transfers and author names whose status the API description documents.
 *
 * @module
 */
import { AppError } from "../../src/errors.ts";
import { bodyCases, type Case, fail, tokenCases } from "./status_cases.ts";
import { COLLEAGUE } from "./stub_permissions.ts";
import { OWNER, type Stub } from "./stub_services.ts";

const SERVERS = "/api/v1/servers";
const SERVER = `${SERVERS}/weather`;
const ME = "/api/v1/auth/me";

/** What an operation without a body that changes offers or owners answers. */
function memberCases(
  operation: string,
  method: string,
  path: string,
  options: { as?: string; nothing: string; conflict?: (stub: Stub) => void },
): Case[] {
  const { as = OWNER, nothing, conflict } = options;
  const base = { operation, method, as };
  return [
    { ...base, status: 200, path },
    { ...base, status: 403, path, as: "somebody-else" },
    { ...base, status: 404, path: nothing },
    ...(conflict === undefined ? [] : [{ ...base, status: 409, path, arrange: conflict }]),
    ...tokenCases(operation, method, path),
  ];
}

/** Offers, and their answers. */
export function transferCases(): Case[] {
  const path = `${SERVER}/transfer`;
  const nothing = `${SERVERS}/nothing/transfer`;
  const offer = { operation: "offerServer", method: "POST", path, as: OWNER };
  const to = { to: "joan" };
  function closed(use: "offer" | "cancel" | "accept" | "decline") {
    return (stub: Stub) => {
      stub.services.transfers[use] = fail(new AppError("conflict", "It is not on offer"));
    };
  }
  return [
    { ...offer, status: 200, body: to },
    { ...offer, status: 400, name: "no such username", body: { to: "NO NAME" } },
    { ...offer, status: 403, as: "somebody-else", body: { nonsense: 1 } },
    { ...offer, status: 403, name: "a namespace owner", as: COLLEAGUE, body: to },
    { ...offer, status: 404, path: nothing, body: to },
    { ...offer, status: 404, name: "no name", path: `${SERVERS}/NO_NAME/transfer`, body: to },
    { ...offer, status: 404, name: "no such user", body: { to: "nobody" } },
    { ...offer, status: 409, body: to, arrange: closed("offer") },
    ...tokenCases("offerServer", "POST", path, to),
    ...bodyCases("offerServer", "POST", path),
    ...memberCases("cancelTransfer", "DELETE", path, { nothing, conflict: closed("cancel") }),
    ...memberCases("acceptTransfer", "POST", `${path}/accept`, {
      as: "recipient",
      nothing: `${nothing}/accept`,
      conflict: closed("accept"),
    }),
    ...memberCases("declineTransfer", "POST", `${path}/decline`, {
      as: "recipient",
      nothing: `${nothing}/decline`,
      conflict: closed("decline"),
    }),
    { operation: "listTransfers", status: 200, path: `${ME}/transfers`, as: OWNER },
    ...tokenCases("listTransfers", "GET", `${ME}/transfers`),
  ];
}

/** Who may read a server. */
export function accessCases(): Case[] {
  const [access, nothing] = [`${SERVER}/access`, `${SERVERS}/nothing/access`];
  const full = (stub: Stub) => {
    stub.services.access.add = fail(new AppError("conflict", "There are 200 already"));
  };
  return [
    ...memberCases("getServerAccess", "GET", access, { nothing }),
    ...([["User", "users/joan"], ["Group", "groups/ops"]] as const).flatMap(([kind, path]) => {
      const places = [`${access}/${path}`, `${nothing}/${path}`] as const;
      return [
        ...memberCases(`addServer${kind}`, "PUT", places[0], {
          nothing: places[1],
          conflict: full,
        }),
        ...memberCases(`removeServer${kind}`, "DELETE", places[0], { nothing: places[1] }),
      ];
    }),
    {
      operation: "addServerUser",
      method: "PUT",
      as: OWNER,
      status: 404,
      name: "no such user",
      path: `${access}/users/nobody`,
    },
    {
      operation: "addServerGroup",
      method: "PUT",
      as: OWNER,
      status: 400,
      name: "no such name",
      path: `${access}/groups/%20`,
    },
  ];
}

/** Author names, their owners and invitations. */
export function authorCases(): Case[] {
  const [acme, none] = ["/api/v1/authors/acme", "/api/v1/authors/no%2Fone"];
  function conflict(use: "invite" | "answer" | "remove") {
    return (stub: Stub) => {
      stub.services.authors[use] = fail(new AppError("conflict", "It is a username"));
    };
  }
  const answer = { as: "recipient", conflict: conflict("answer") };
  return [
    { operation: "listAuthors", status: 200, path: `${ME}/authors`, as: OWNER },
    ...tokenCases("listAuthors", "GET", `${ME}/authors`),
    ...memberCases("listOwners", "GET", `${acme}/owners`, { nothing: `${none}/owners` }),
    ...memberCases("inviteOwner", "PUT", `${acme}/owners/joan`, {
      nothing: `${none}/owners/joan`,
      conflict: conflict("invite"),
    }),
    ...memberCases("removeOwner", "DELETE", `${acme}/owners/joan`, {
      nothing: `${none}/owners/joan`,
      conflict: conflict("remove"),
    }),
    ...memberCases("acceptInvitation", "POST", `${acme}/invitation/accept`, {
      ...answer,
      nothing: `${none}/invitation/accept`,
    }),
    ...memberCases("declineInvitation", "POST", `${acme}/invitation/decline`, {
      as: "recipient",
      nothing: `${none}/invitation/decline`,
    }),
  ];
}
