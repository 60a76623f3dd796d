/**
 * Transfers and authors in memory: the server `weather` can be offered to `recipient`, and the
 * author `acme` is owned by `owner` and `colleague`.
 *
 * @module
 */
import {
  AUTHORS_EXAMPLE,
  DETAIL_EXAMPLE,
  OWNERS_EXAMPLE,
  TRANSFER_EXAMPLE,
} from "../../src/http/openapi/examples.ts";
import { forbidden, type RequiredPermission } from "../../src/errors.ts";
import type { ServerAccess } from "../../src/access/schema.ts";
import { ACCESS_EXAMPLE } from "../../src/http/openapi/examples_users.ts";
import type { Reader } from "../../src/registry/access/readers.ts";
import type { AccessServices, AuthorServices, TransferServices } from "../../src/http/services.ts";
import type { Caller } from "../../src/identity/caller.ts";
import { authorNotFound, serverNotFound, userNotFound } from "../../src/registry/failures.ts";

/** Subject of another owner of the author of `weather`. */
export const COLLEAGUE = "colleague";

function check(caller: Caller, subjects: string[], required: RequiredPermission): void {
  if (subjects.includes(caller.userId)) return;
  throw forbidden(required, "You cannot do this");
}

/** Offers of `weather`, which belongs to `owner`. */
export function stubTransfers(owner: string, admin: string): TransferServices {
  function checkOwner(caller: Caller, name: string): void {
    if (name !== "weather") throw serverNotFound(name);
    check(caller, [owner, admin], "owner");
  }
  function checkRecipient(caller: Caller, name: string): void {
    if (name !== "weather") throw serverNotFound(name);
    check(caller, ["recipient"], "recipient");
  }
  return {
    authorizeOffer: (caller, name) => Promise.try(() => checkOwner(caller, name)),
    offer(_caller, _name, { to }) {
      return Promise.try(() => {
        if (to === "nobody") throw userNotFound(to);
        return { ...TRANSFER_EXAMPLE, to };
      });
    },
    list: () => Promise.resolve({ incoming: [], outgoing: [TRANSFER_EXAMPLE] }),
    cancel: (caller, name) => Promise.try(() => checkOwner(caller, name)),
    accept(caller, name) {
      return Promise.try(() => {
        checkRecipient(caller, name);
        return { ...DETAIL_EXAMPLE, author: "recipient" };
      });
    },
    decline: (caller, name) => Promise.try(() => checkRecipient(caller, name)),
  };
}

/** Who may read `weather`: it names `recipient`, and the group `ops`. */
export function stubAccess(owner: string, admin: string): AccessServices {
  function show(caller: Caller, name: string): ServerAccess {
    if (name !== "weather") throw serverNotFound(name);
    check(caller, [owner, COLLEAGUE, admin], "owner");
    return ACCESS_EXAMPLE;
  }
  function change(caller: Caller, name: string, reader: Reader): ServerAccess {
    const access = show(caller, name);
    if ("user" in reader && reader.user === "nobody") throw userNotFound(reader.user);
    return access;
  }
  return {
    show: (caller, name) => Promise.try(() => show(caller, name)),
    add: (caller, name, reader) => Promise.try(() => change(caller, name, reader)),
    remove: (caller, name, reader) => Promise.try(() => change(caller, name, reader)),
  };
}

/** The author `acme`. */
export function stubAuthors(owner: string, admin: string): AuthorServices {
  function checkOwns(caller: Caller, author: string): void {
    if (author !== "acme") throw authorNotFound(author);
    check(caller, [owner, COLLEAGUE, admin], "namespace owner");
  }
  return {
    list: () => Promise.resolve(AUTHORS_EXAMPLE),
    owners(caller, author) {
      return Promise.try(() => {
        checkOwns(caller, author);
        return OWNERS_EXAMPLE;
      });
    },
    invite(caller, author) {
      return Promise.try(() => {
        checkOwns(caller, author);
        return OWNERS_EXAMPLE.invitations[0]!;
      });
    },
    answer(caller, author) {
      return Promise.try(() => {
        if (author !== "acme") throw authorNotFound(author);
        check(caller, ["recipient"], "invitee");
        return "Acme";
      });
    },
    remove(caller, author) {
      return Promise.try(() => {
        checkOwns(caller, author);
        return "Acme";
      });
    },
  };
}
