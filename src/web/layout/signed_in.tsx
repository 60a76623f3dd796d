/**
 * Pages for users only.
 *
 * @module
 */
import { pageForAdministrators } from "../failures.ts";
import type { Caller } from "../../identity/caller.ts";
import { wantsPage } from "../../http/browser_requests.ts";
import type { SignInFirst } from "../../http/services.ts";
import type { WebServices } from "../services.ts";
import { findVisitor } from "../session/visitor.ts";
import { type PageContext, type PageHandler, type PageRequest, pagesOf } from "./context.ts";
import { Alert } from "./parts.tsx";
import { hereOf, showPage } from "./respond.tsx";

export interface UserRequest extends PageRequest {
  caller: Caller;
}

function askToSignIn(request: PageRequest): Response | Promise<Response> {
  const { c, links } = request;
  const login = `${links.path("/login")}?to=`;
  if (c.req.method === "GET") {
    return c.redirect(login + encodeURIComponent(hereOf(request)), 303);
  }
  // What was sent is lost then, so the user is told rather than sent around.
  return showPage(
    request,
    { title: "Sign-in required" },
    <>
      <h1>Sign-in required</h1>
      <Alert>
        <p>Your sign-in has expired. Nothing was changed.</p>
      </Alert>
      <p>
        <a href={links.path("/login")} class="button">Sign in</a>
      </p>
    </>,
    { status: 401 },
  );
}

/** Leads visitors to the sign-in page first. */
export function signedIn(
  handler: (request: UserRequest) => Response | Promise<Response>,
): PageHandler {
  return (request) => {
    const { caller, problem } = request.visitor;
    if (problem !== null) throw problem;
    return caller === null ? askToSignIn(request) : handler({ ...request, caller });
  };
}

/** Finds out whether somebody is signed in, before any page or file is answered. */
export function signInFirst(services: WebServices) {
  const first = pagesOf(services)(askToSignIn);
  return async (c: PageContext): Promise<SignInFirst> => {
    const { caller, problem } = await findVisitor(c, services);
    if (caller !== null) return { kind: "signed_in" };
    if (problem !== null) throw problem;
    return wantsPage(c) ? { kind: "page", response: await first(c) } : { kind: "program" };
  };
}

/** As {@link signedIn}, for administrators. @throws {AppError} `forbidden` for everyone else. */
export function forAdministrators(
  handler: (request: UserRequest) => Response | Promise<Response>,
): PageHandler {
  return signedIn((request) => {
    if (!request.caller.isAdmin) throw pageForAdministrators();
    return handler(request);
  });
}
