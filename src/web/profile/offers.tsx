/**
 * What others offer to a user: servers, and shares in author names.
 *
 * @module
 */
import type { OwnAuthors } from "../../registry/ownership/owners_schema.ts";
import type { Transfers } from "../../registry/ownership/transfer_schema.ts";
import { ButtonForm, fieldOf, readForm } from "../layout/forms.tsx";
import { Time } from "../layout/parts.tsx";
import { seeOther } from "../layout/respond.tsx";
import type { UserRequest } from "../layout/signed_in.tsx";

export interface OpenOffers {
  transfers: Transfers;
  authors: OwnAuthors;
}

export async function readOffers({ caller, services }: UserRequest): Promise<OpenOffers> {
  return {
    transfers: await services.app.transfers.list(caller),
    authors: await services.app.authors.list(caller),
  };
}

/** The offers; nothing where there are none. */
export function Offers({ request, offers }: { request: UserRequest; offers: OpenOffers }) {
  const { transfers, authors } = offers;
  const { links } = request;
  const count = transfers.incoming.length + transfers.outgoing.length +
    authors.invitations.length;
  if (count === 0) return null;
  const button = (kind: string, action: string, about: string, label: string) => (
    <ButtonForm
      request={request}
      action="/profile/offers"
      label={label}
      about={about}
      kind={action === "accept" ? "primary" : "secondary"}
      fields={{ kind, action, about }}
    />
  );
  return (
    <section aria-labelledby="offers">
      <h2 id="offers">Waiting for a response</h2>
      <ul class="rows">
        {transfers.incoming.map(({ server, from, expires_at }) => (
          <li>
            <span>
              <strong>{from}</strong> offers you the server{" "}
              <a href={links.path(`/servers/${server}`)}>{server}</a>. Expires{" "}
              <Time at={expires_at} />
            </span>
            <span class="actions">
              {button("transfer", "accept", server, "Accept")}
              {button("transfer", "decline", server, "Decline")}
            </span>
          </li>
        ))}
        {transfers.outgoing.map(({ server, to, expires_at }) => (
          <li>
            <span>
              You offered <a href={links.path(`/servers/${server}`)}>{server}</a> to{" "}
              <strong>{to}</strong>. Expires <Time at={expires_at} />
            </span>
            <span class="actions">{button("transfer", "cancel", server, "Withdraw")}</span>
          </li>
        ))}
        {authors.invitations.map(({ author, invited_by, expires_at }) => (
          <li>
            <span>
              <strong>{invited_by}</strong> invites you to own the author name{" "}
              <bdi>{author}</bdi>. Expires <Time at={expires_at} />
            </span>
            <span class="actions">
              {button("author", "accept", author, "Accept")}
              {button("author", "decline", author, "Decline")}
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}

export async function answerOffer(request: UserRequest): Promise<Response> {
  const { c, caller, services } = request;
  const form = await readForm(request);
  const about = fieldOf(form, "about");
  const context = { requestId: c.get("requestId") };
  const { transfers, authors } = services.app;
  const accept = fieldOf(form, "action") === "accept";
  if (fieldOf(form, "kind") === "author") {
    await authors.answer(caller, about, accept ? "accept" : "decline", context);
  } else if (fieldOf(form, "action") === "cancel") {
    await transfers.cancel(caller, about, context);
  } else if (accept) {
    await transfers.accept(caller, about, context);
  } else {
    await transfers.decline(caller, about, context);
  }
  return seeOther(request, "/profile");
}
