/**
 * What a request says of itself beside its body: the server, the session, the revision.
 *
 * @module
 */
import type { AppError } from "../../errors.ts";
import { isRevision, REVISIONS } from "../../protocol/revisions.ts";
import { invalidRequest } from "../failures.ts";

const SESSION_ID = /^[\x21-\x7e]{1,128}$/;

/** A message other than `initialize` without a session id. */
export function missingSessionId(): AppError {
  return invalidRequest("The Mcp-Session-Id header is missing. Only initialize may omit it");
}

/** The server that the query names. @throws {AppError} When it names none, or several. */
export function serverName(request: Request): string {
  const names = new URL(request.url).searchParams.getAll("name");
  if (names.length === 1 && names[0] !== "") return names[0]!;
  throw invalidRequest(
    names.length > 1
      ? 'The query parameter "name" appears more than once'
      : 'The query parameter "name" is missing. Set it to the name of the server to run',
  );
}

/** The session id of a request, null without one. @throws {AppError} When it is malformed. */
export function sessionId(request: Request): string | null {
  const id = request.headers.get("mcp-session-id");
  if (id === null || SESSION_ID.test(id)) return id;
  throw invalidRequest("Mcp-Session-Id must be 1 to 128 visible ASCII characters");
}

/** @throws {AppError} When `MCP-Protocol-Version` names a revision that Berth does not speak. */
export function checkRevisionHeader(request: Request): void {
  const revision = request.headers.get("mcp-protocol-version");
  if (revision === null || isRevision(revision)) return;
  throw invalidRequest(`MCP-Protocol-Version must be one of ${REVISIONS.join(", ")}`);
}
