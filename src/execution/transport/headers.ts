/**
 * What a request says of itself beside its body: the server, the session, the revision.
 *
 * @module
 */
import { isRevision } from "../../protocol/revisions.ts";
import {
  revisionUnknown,
  serverNameMissing,
  serverNameRepeated,
  sessionIdMalformed,
} from "../failures.ts";

const SESSION_ID = /^[\x21-\x7e]{1,128}$/;

/** The server that the query names. @throws {AppError} When it names none, or several. */
export function serverName(request: Request): string {
  const names = new URL(request.url).searchParams.getAll("name");
  if (names.length === 1 && names[0] !== "") return names[0]!;
  throw names.length > 1 ? serverNameRepeated() : serverNameMissing();
}

/** The session id of a request, null without one. @throws {AppError} When it is malformed. */
export function sessionId(request: Request): string | null {
  const id = request.headers.get("mcp-session-id");
  if (id === null || SESSION_ID.test(id)) return id;
  throw sessionIdMalformed();
}

/** @throws {AppError} When `MCP-Protocol-Version` names a revision that Berth does not speak. */
export function checkRevisionHeader(request: Request): void {
  const revision = request.headers.get("mcp-protocol-version");
  if (revision === null || isRevision(revision)) return;
  throw revisionUnknown();
}
