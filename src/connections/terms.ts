/**
 * What a user agrees to who connects a variable of a server.
 *
 * @module
 */
import type { Queryable } from "../database/client.ts";
import { serviceLabel, signInHost, type SignInService } from "../keys/services.ts";
import { serverTerms } from "../keys/shown_terms.ts";
import { type ServerTerms, type Terms, termsOf } from "../keys/store.ts";
import type { Viewer } from "../access/rule.ts";
import { notConnectable } from "./failures.ts";

/** A variable for which users sign in at another service, as its server is now. */
export interface Connectable {
  server: string;
  name: string;
  service: SignInService;
  terms: Terms;
  /** The server's, of which these are a part. */
  whole: ServerTerms;
}

/** What stands on the page on which a user agrees. */
export interface ShownConnectable {
  label: string;
  /** Host of the page on which they sign in. */
  host: string;
  scopes: readonly string[];
  /** Where the token may be sent. */
  hosts: readonly string[];
}

/** The variable `name` of `server`. @throws {AppError} `not_found` when nobody signs in for it. */
export async function findConnectable(
  sql: Queryable,
  viewer: Viewer,
  server: string,
  name: string,
): Promise<Connectable> {
  const whole = await serverTerms(sql, viewer, server);
  const service = whole.variables.find((each) => each.name === name)?.oauth ?? null;
  if (service === null) throw notConnectable(server, name);
  return { server, name, service, terms: termsOf(whole, name), whole };
}

/** The variable for the page on which a user agrees. @throws {AppError} `not_found`. */
export async function showConnectable(
  { sql }: { sql: Queryable },
  viewer: Viewer,
  server: string,
  name: string,
): Promise<ShownConnectable> {
  const { service, terms } = await findConnectable(sql, viewer, server, name);
  return {
    label: serviceLabel(service),
    host: signInHost(service),
    scopes: service.scopes,
    hosts: terms.hosts,
  };
}
