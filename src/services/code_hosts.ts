/**
 * Wiring of code hosts: how repositories are fetched, and the tokens that users keep for them.
 *
 * @module
 */
import { bound } from "../bound.ts";
import { now } from "../clock.ts";
import { codeHostsOf, type CodeHostVariables } from "../code_host_settings.ts";
import type { Config } from "../config.ts";
import type { Sql } from "../database/client.ts";
import { resolveName } from "../egress/machine.ts";
import type { Health } from "../figures/health.ts";
import type { CodeHostServices } from "../http/services.ts";
import type { KeysDeps } from "../keys/deps.ts";
import type { Logger } from "../log.ts";
import { accountCodes } from "../repository/app/right.ts";
import { checkApp, createAppTokens } from "../repository/app/tokens.ts";
import type { RepositoryDeps } from "../repository/fetch.ts";
import { keepHostToken, removeHostToken } from "../repository/tokens/keep.ts";
import { listHostTokens } from "../repository/tokens/list.ts";
import { readerTokens } from "../repository/tokens/use.ts";

/** What fetching repositories needs. */
export function repositoryDeps(
  { config, health, keys, database: { sql } }: {
    config: Config;
    health: Health;
    keys: KeysDeps;
    database: { sql: Sql };
  },
): RepositoryDeps {
  const asked = { fetch: health.watch("code_host", fetch), resolve: resolveName, now };
  return {
    ...asked,
    codeHosts: codeHostsOf(config),
    readerToken: readerTokens(keys),
    apps: { tokenFor: createAppTokens(asked), codeOf: accountCodes(sql) },
    fetchAsReader: fetch,
  };
}

/** Has the log say which code host does not know the App that it was given the key of. */
export function checkApps(deps: RepositoryDeps, log: Logger): { stop(): void } {
  const stopping = new AbortController();
  for (const { app, ...settings } of deps.codeHosts) {
    if (app === undefined) continue;
    const { host } = settings;
    checkApp(deps, { ...settings, app }, stopping.signal).then(
      () => log.info("code_host.app_ready", { host, app: app.id }),
      (error) => {
        if (!stopping.signal.aborted) log.error("code_host.app_unusable", { host, error });
      },
    );
  }
  return { stop: () => stopping.abort() };
}

/** The use cases of tokens for code hosts. */
export function codeHostServices(config: CodeHostVariables, keys: KeysDeps): CodeHostServices {
  const hosts = codeHostsOf(config).map(({ host, kind, app }) => ({
    host,
    kind,
    app: app !== undefined,
  }));
  const useCases = bound({ ...keys, codeHosts: hosts }, {
    list: listHostTokens,
    keep: keepHostToken,
    remove: removeHostToken,
  });
  return { ...useCases, codeOf: accountCodes(keys.sql), hosts, isKept: keys.ring !== null };
}
