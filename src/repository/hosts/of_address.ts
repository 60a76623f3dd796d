/**
 * The client for the code host that an address names.
 *
 * @module
 */
import type { CodeHostKind } from "../../code_host_settings.ts";
import type { CodeHost, OneHostDeps } from "./code_host.ts";
import { createGitea } from "./gitea.ts";
import { createGitHub } from "./github.ts";
import { createGitLab } from "./gitlab.ts";

const CLIENTS: Record<CodeHostKind, (deps: OneHostDeps) => CodeHost> = {
  github: createGitHub,
  gitlab: createGitLab,
  gitea: createGitea,
};

/** A client of the code host of `deps.settings`. */
export function createCodeHost(deps: OneHostDeps): CodeHost {
  return CLIENTS[deps.settings.kind](deps);
}
