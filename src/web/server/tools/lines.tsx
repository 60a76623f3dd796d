/**
 * The tools of a server as lines: name, parameters, and the first sentence of what each does.
 *
 * @module
 */
import type { Links } from "../../../http/links.ts";
import type { ParameterView } from "./parameters.ts";
import { Signs } from "./signs.tsx";
import type { ToolView } from "./views.ts";

const SENTENCE_MAX = 160;
const PARAMETERS_SHOWN = 6;

/** The id of a tool on the page Tools, for links to it. */
export function toolAnchor(name: string): string {
  return `tool-${name.replaceAll(/\s/g, "_")}`;
}

/** The first sentence, or as much of it as fits. */
export function firstSentence(text: string, max = SENTENCE_MAX): string {
  const flat = text.slice(0, max * 4).replaceAll(/\s+/g, " ").trim();
  const sentence = /^.+?[.!?](?=\s|$)/.exec(flat)?.[0] ?? flat;
  const characters = [...sentence];
  return characters.length <= max ? sentence : `${characters.slice(0, max - 1).join("")}…`;
}

function Parameter({ parameter: { name, required } }: { parameter: ParameterView }) {
  return <bdi>{required ? name : `${name}?`}</bdi>;
}

/** `(city, days?)`; nothing where the parameters are not known. */
function Parameters({ parameters }: { parameters: readonly ParameterView[] | null }) {
  if (parameters === null) return null;
  const shown = parameters.slice(0, PARAMETERS_SHOWN);
  return (
    <span class="quiet">
      ({shown.map((parameter, index) => (
        <>
          {index === 0 ? "" : ", "}
          <Parameter parameter={parameter} />
        </>
      ))}
      {parameters.length > shown.length ? ", …" : ""})
    </span>
  );
}

/** A list of `tools`, each a link to where it is described. */
export function ToolLines(
  { links, server, tools }: { links: Links; server: string; tools: readonly ToolView[] },
) {
  const path = links.path(`/servers/${server}/tools`);
  return (
    <ul class="tool-lines">
      {tools.map(({ name, description, parameters, signs }) => (
        <li>
          <div class="tool-line">
            <span class="mono">
              <a href={`${path}#${encodeURIComponent(toolAnchor(name))}`}>
                <bdi>{name}</bdi>
              </a>
              <Parameters parameters={parameters} />
            </span>
            <Signs signs={signs.filter((sign) => sign === "read-only" || sign === "destructive")} />
          </div>
          {description === null ? null : (
            <p class="quiet small">
              <bdi>{firstSentence(description)}</bdi>
            </p>
          )}
        </li>
      ))}
    </ul>
  );
}
