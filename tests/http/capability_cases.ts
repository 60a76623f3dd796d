/**
 * Requests about servers with capabilities whose status the API description documents.
 *
 * @module
 */
import { CASE_EXAMPLE } from "../../src/http/openapi/examples_capabilities.ts";
import type { RegistryServices } from "../../src/http/services.ts";
import { capabilitiesChanged, serverNotFound } from "../../src/registry/failures.ts";
import { bodyCases, type Case, fail, tokenCases } from "./status_cases.ts";
import { ADMIN, OWNER } from "./stub_services.ts";

const LIST = "/api/v1/capabilities";
const SERVERS = "/api/v1/servers";
const PATH = `${SERVERS}/weather/capabilities`;
const ALLOW = { answer: "allow", capabilities: ["sql"], reason: "Public figures only" };

/** Answers for the server `weather` alone. */
export function stubCapabilities(): Pick<
  RegistryServices,
  "capabilityCases" | "countWaiting" | "answerCapabilities"
> {
  return {
    capabilityCases: () => Promise.resolve({ cases: [CASE_EXAMPLE], nextCursor: "warehouse" }),
    countWaiting: () => Promise.resolve(1),
    answerCapabilities: (_caller, name, { reason }) =>
      name === "weather"
        ? Promise.resolve({ state: "allowed", reason, decided_at: "2026-05-01T12:00:00.000Z" })
        : Promise.reject(serverNotFound(name)),
  };
}

/** Lists and answers. */
export function capabilityCases(): Case[] {
  const list = { operation: "listCapabilities", as: ADMIN };
  const answer = { operation: "answerCapabilities", method: "PUT", as: ADMIN, body: ALLOW };
  return [
    { ...list, status: 200, path: `${LIST}?state=refused&limit=2` },
    ...["state=open", "limit=0", "limit=101", "cursor=NO_NAME", "who=jane"].map((query): Case => ({
      ...list,
      status: 400,
      name: query,
      path: `${LIST}?${query}`,
    })),
    { ...list, status: 403, path: LIST, as: OWNER },
    ...tokenCases("listCapabilities", "GET", LIST),
    { ...answer, status: 200, path: PATH },
    { ...answer, status: 403, path: PATH, as: OWNER },
    { ...answer, status: 404, path: `${SERVERS}/nothing/capabilities` },
    { ...answer, status: 404, name: "no name", path: `${SERVERS}/NO_NAME/capabilities` },
    {
      ...answer,
      status: 409,
      path: PATH,
      arrange({ services: { registry } }) {
        registry.answerCapabilities = fail(capabilitiesChanged("weather", ["sql", "code"]));
      },
    },
    ...tokenCases("answerCapabilities", "PUT", PATH, ALLOW),
    ...bodyCases("answerCapabilities", "PUT", PATH).map((each) => ({ ...each, as: ADMIN })),
  ];
}
