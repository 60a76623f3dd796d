/**
 * Credentials whose form is no more than a length and an alphabet: they are told by the service's
 * name shortly before them.
 *
 * @module
 */
import { type Format, near } from "../patterns.ts";

const UUID = String.raw`[a-f0-9]{8}(?:-[a-f0-9]{4}){3}-[a-f0-9]{12}`;

/** The usual spellings of a name, as hints. */
function spellings(...names: string[]): string[] {
  return names.flatMap((name) => [
    name,
    name.toUpperCase(),
    name.replace(/^./, (first) => first.toUpperCase()),
  ]);
}

export const NAMED_FORMATS: readonly Format[] = [
  {
    kind: "snyk-token",
    title: "Snyk token",
    hints: spellings("snyk"),
    pattern: near("snyk", UUID),
    exact: true,
  },
  {
    kind: "messagebird-key",
    title: "MessageBird key",
    hints: [...spellings("messagebird", "message-bird", "message_bird"), "MessageBird"],
    pattern: near("message[_-]?bird", `${UUID}|[a-z0-9]{25}`),
    exact: true,
  },
  {
    kind: "hubspot-key",
    title: "HubSpot key",
    hints: [...spellings("hubspot"), "HubSpot"],
    pattern: near("hubspot[\\w-]{0,10}(?:key|token)", UUID),
    exact: true,
  },
  {
    kind: "heroku-key",
    title: "Heroku API key",
    hints: spellings("heroku"),
    pattern: near("heroku[\\w-]{0,10}(?:key|token)", UUID),
    exact: true,
  },
  {
    kind: "sonar-token",
    title: "SonarQube token",
    hints: spellings("sonar"),
    pattern: near("sonar[_.-]?(?:login|token)", String.raw`(?:sq[upa]_)?[\w=-]{40}`),
    exact: true,
    entropy: 3,
  },
  {
    kind: "linkedin-credential",
    title: "LinkedIn credential",
    hints: [...spellings("linkedin", "linked-in", "linked_in"), "LinkedIn"],
    pattern: near("linked[_-]?in", String.raw`[a-z0-9]{14}|[a-z0-9]{16}`),
    entropy: 2.4,
    check: (value) => /\d/.test(value) && /[a-z]/i.test(value),
  },
  {
    kind: "sumologic-access-id",
    title: "Sumo Logic access id",
    hints: spellings("sumo"),
    pattern: near("sumo[\\w.-]{0,20}", String.raw`su[A-Za-z0-9]{12}`),
    entropy: 3,
    check: (value) => /^su/.test(value) && /\d/.test(value),
  },
  {
    kind: "jfrog-token",
    title: "JFrog token",
    hints: [...spellings("jfrog", "artifactory", "bintray", "xray"), "JFrog"],
    pattern: near("jfrog|artifactory|bintray|xray", String.raw`[a-z0-9]{73}|[a-z0-9]{64}`),
    entropy: 3.5,
  },
  {
    kind: "mapbox-token",
    title: "Mapbox token",
    hints: [...spellings("mapbox"), "MapBox"],
    pattern: near("mapbox", String.raw`pk\.[a-z0-9]{60}\.[a-z0-9]{22}`),
    exact: true,
    entropy: 3.5,
  },
];
