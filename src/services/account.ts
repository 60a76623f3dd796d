/**
 * Wiring of accounts: taking them along, and leaving.
 *
 * @module
 */
import { deleteAccount } from "../account/delete.ts";
import type { AccountDeps } from "../account/deps.ts";
import { exportAccount } from "../account/export.ts";
import { previewDeletion } from "../account/preview.ts";
import { bound } from "../bound.ts";
import type { AccountServices } from "../http/services.ts";

/** The use cases, as the listener and pages call them. */
export function accountServices(deps: AccountDeps): AccountServices {
  return bound(deps, {
    export: exportAccount,
    preview: previewDeletion,
    delete: deleteAccount,
  });
}
