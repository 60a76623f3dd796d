/**
 * Wiring of transfers of servers and of author names with several owners.
 *
 * @module
 */
import type { AuthorServices, TransferServices } from "../http/permission_services.ts";
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
  return {
    authorizeOffer: (caller, name) => authorizeOwner(deps, caller, name),
    offer: (caller, name, input, context) => offerServer(deps, caller, name, input, context),
    list: (caller) => listTransfers(deps, caller.userId),
    cancel: (caller, name, context) => cancelOffer(deps, caller, name, context),
    accept: (caller, name, context) => acceptOffer(deps, caller, name, context),
    decline: (caller, name, context) => declineOffer(deps, caller, name, context),
  };
}

/** Author names and their owners. */
export function authorServices(deps: OwnersDeps): AuthorServices {
  return {
    list: (caller) => listAuthors(deps, caller),
    owners: (caller, author) => listOwners(deps, caller, author),
    invite: (caller, author, username, context) =>
      inviteOwner(deps, caller, author, username, context),
    answer: (caller, author, answer, context) =>
      answerInvitation(deps, caller, author, answer, context),
    remove: (caller, author, username, context) =>
      removeOwner(deps, caller, author, username, context),
  };
}
