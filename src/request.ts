/**
 * What a use case knows of the request that it serves.
 *
 * @module
 */

/** A request, as logs and the audit log name it. */
export interface RequestContext {
  requestId: string;
}

/** A request to change a record, which may depend on the record's present state. */
export interface ChangeContext extends RequestContext {
  /** Entity tag that the record must have, as sent in `If-Match`. */
  ifMatch?: string | undefined;
}
