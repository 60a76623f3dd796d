/**
 * Failures as pages, for browsers.
 *
 * @module
 */
import type { AppError } from "../../errors.ts";
import { wantsPage } from "../../http/browser_requests.ts";
import { type PageContext, type PageRequest, pagesOf } from "../layout/context.ts";
import { Alert } from "../layout/parts.tsx";
import { type RespondOptions, showPage, showPart } from "../layout/respond.tsx";
import type { WebServices } from "../services.ts";

const TITLES: Record<number, string> = {
  400: "Invalid request",
  401: "Sign-in required",
  403: "Access denied",
  404: "Not found",
  405: "Invalid request",
  409: "Conflict",
  412: "Changed by someone else",
  413: "Request too large",
  429: "Too many requests",
  500: "Something went wrong",
  503: "Temporarily unavailable",
};

const ADVICE: Record<number, string> = {
  404: "It may have been removed. Try searching for it by name.",
  500:
    "The error is on our side. If it happens again, send the request number below to the operator.",
};

function statusOf(error: AppError): NonNullable<RespondOptions["status"]> {
  return (TITLES[error.status] === undefined ? 400 : error.status) as never;
}

/** The list of what is wrong with single fields. */
export function FieldFaults({ error }: { error: Pick<AppError, "errors"> }) {
  if (error.errors.length === 0) return null;
  return (
    <ul>
      {error.errors.map(({ path, message }) => (
        <li>
          <code>{path}</code> {message}
        </li>
      ))}
    </ul>
  );
}

/** What a part of a page shows in place of what failed. */
function FailurePart({ error }: { error: AppError }) {
  return (
    <Alert>
      <p>{error.message}.</p>
      <FieldFaults error={error} />
    </Alert>
  );
}

function failurePage(request: PageRequest, error: AppError): Promise<Response> {
  const { c, links, isPart } = request;
  const status = statusOf(error);
  const headers = error.headers;
  if (isPart) return showPart(request, <FailurePart error={error} />, { status, headers });
  const title = TITLES[status]!;
  return showPage(
    request,
    { title },
    <div class="failure">
      <p class="status" aria-hidden="true">{status}</p>
      <h1>{title}</h1>
      <FailurePart error={error} />
      {ADVICE[status] === undefined ? null : <p>{ADVICE[status]}</p>}
      <form action={links.path("/")} class="search">
        <label for="q" class="visually-hidden">Search servers</label>
        <input type="search" id="q" name="q" placeholder="Search servers" />
        <button type="submit">Search</button>
      </form>
      <p class="quiet">
        Request <code>{c.get("requestId")}</code>
      </p>
    </div>,
    { status, headers },
  );
}

/** Answers a failure with a page, where the request is a person's; else null. */
export function failurePages(
  services: WebServices,
): (error: AppError, c: PageContext) => Promise<Response> | null {
  const page = pagesOf(services);
  return (error, c) => {
    if (!wantsPage(c)) return null;
    const respond = page((request) => failurePage(request, error));
    return respond(c).catch(() =>
      // Without its database, say, not even the visitor can be found out.
      c.text(`${TITLES[statusOf(error)]}: ${error.message}`, statusOf(error), error.headers)
    );
  };
}
