/**
 * Wiring of transfers of servers and of author names with several owners.
 *
 * @module
 */
import { bound } from "../bound.ts";
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
