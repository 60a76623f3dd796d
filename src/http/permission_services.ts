/**
 * What the registry listener needs of transfers and of author names with several owners.
 *
 * @module
 */
import type { Caller } from "../identity/caller.ts";
import type {
  AuthorOwners,
  OwnAuthors,
  OwnerInvitation,
} from "../registry/ownership/owners_schema.ts";
import type { ServerDetail } from "../registry/schema.ts";
import type { OfferTransfer, Transfer, Transfers } from "../registry/ownership/transfer_schema.ts";
import type { RequestContext } from "../request.ts";

/** Offers of servers to other users. All but `list` throw `not_found`, then `forbidden`. */
export interface TransferServices {
  /** Throws when `caller` may not give the server away. */
  authorizeOffer(caller: Caller, name: string): Promise<void>;
  offer(
    caller: Caller,
    name: string,
    input: OfferTransfer,
    context: RequestContext,
  ): Promise<Transfer>;
  /** The open offers to and of the caller. */
  list(caller: Caller): Promise<Transfers>;
  cancel(caller: Caller, name: string, context: RequestContext): Promise<void>;
  accept(caller: Caller, name: string, context: RequestContext): Promise<ServerDetail>;
  decline(caller: Caller, name: string, context: RequestContext): Promise<void>;
}

/**
 * Author names and their owners. What names an author throws `not_found`, then `forbidden`; changes
 * return the name as it was first written.
 */
export interface AuthorServices {
  /** The names that the caller owns or is invited to own. */
  list(caller: Caller): Promise<OwnAuthors>;
  owners(caller: Caller, author: string): Promise<AuthorOwners>;
  invite(
    caller: Caller,
    author: string,
    username: string,
    context: RequestContext,
  ): Promise<OwnerInvitation>;
  answer(
    caller: Caller,
    author: string,
    answer: "accept" | "decline",
    context: RequestContext,
  ): Promise<string>;
  /** Takes an invitation back, or ownership away. */
  remove(
    caller: Caller,
    author: string,
    username: string,
    context: RequestContext,
  ): Promise<string>;
}
