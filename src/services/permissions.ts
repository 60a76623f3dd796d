/**
 * Wiring of who may do what: transfers of servers, author names with several owners, readers.
 *
 * @module
 */
import { mayRead } from "../access/rule.ts";
import { bound } from "../bound.ts";
import type { Config } from "../config.ts";
import type { Sql } from "../database/client.ts";
import type { AdmissionDeps } from "../execution/admission/admission.ts";
import type { AccessServices, AuthorServices, TransferServices } from "../http/services.ts";
import {
  addReader,
  type ReadersDeps,
  removeReader,
  showAccess,
} from "../registry/access/readers.ts";
import { authorizeOwner } from "../registry/ownership/access.ts";
import {
  answerInvitation,
  inviteOwner,
  listAuthors,
  listOwners,
  type OwnersDeps,
  removeOwner,
} from "../registry/ownership/owners.ts";
import {
  acceptOffer,
  cancelOffer,
  declineOffer,
  listTransfers,
  offerServer,
  type TransferDeps,
} from "../registry/ownership/transfer.ts";

/** Offers of servers. */
export function transferServices(deps: TransferDeps): TransferServices {
  return bound(deps, {
    authorizeOffer: authorizeOwner,
    offer: offerServer,
    list: listTransfers,
    cancel: cancelOffer,
    accept: acceptOffer,
    decline: declineOffer,
  });
}

/** Who may read a server. */
export function accessServices(deps: ReadersDeps): AccessServices {
  return bound(deps, { show: showAccess, add: addReader, remove: removeReader });
}

/** Author names and their owners. */
export function authorServices(deps: OwnersDeps): AuthorServices {
  return bound(deps, {
    list: listAuthors,
    owners: listOwners,
    invite: inviteOwner,
    answer: answerInvitation,
    remove: removeOwner,
  });
}

/** Whether clients may read what they run, now and later. */
export function readingDeps(
  { ADMIN_SUBJECTS, ADMIN_CLAIM }: Pick<Config, "ADMIN_SUBJECTS" | "ADMIN_CLAIM">,
  sql: Sql,
): Required<Pick<AdmissionDeps, "mayRead" | "isAdministrator">> {
  return {
    mayRead: (name, { userId, isAdmin }) =>
      mayRead(sql, userId === null ? null : { userId, isAdmin }, name),
    async isAdministrator(userId) {
      // Whom a claim makes one, only their next token tells.
      if (ADMIN_CLAIM !== undefined || ADMIN_SUBJECTS.includes(userId)) return true;
      const [user] = await sql<{ is: boolean }[]>`
        select is_admin as "is" from users where subject = ${userId}`;
      return user?.is ?? false;
    },
  };
}
