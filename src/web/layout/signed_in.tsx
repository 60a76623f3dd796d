/**
 * Pages for users only.
 *
 * @module
 */
import { pageForAdministrators } from "../failures.ts";
import type { Caller } from "../../identity/caller.ts";
import type { PageHandler, PageRequest } from "./context.ts";
import { Alert } from "./parts.tsx";
import { hereOf, showPage } from "./respond.tsx";

export interface UserRequest extends PageRequest {
  caller: Caller;
}

function signInFirst(request: PageRequest): Response | Promise<Response> {
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
    return caller === null ? signInFirst(request) : handler({ ...request, caller });
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
