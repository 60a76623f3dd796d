/**
 * What the visitor's client is told of a server: on the pages Install and Overview.
 *
 * @module
 */
import type { ServerDetail } from "../../../registry/schema.ts";
import { neededVariables, type Variable } from "../../../keys/variables.ts";
import type { PageRequest } from "../../layout/context.ts";
import { Copy } from "../../layout/parts.tsx";
import { endpointOf } from "../endpoint.ts";
import { type ClientEntry, type ClientId, entryOfClient, pullCommand } from "./clients.ts";

/** The server as clients are told of it. */
export function clientInput({ services }: PageRequest, server: ServerDetail) {
  const { name } = server;
  return {
    name,
    url: endpointOf(services.workerUrl, name),
    needsToken: services.needsToken || server.payment_required,
    variables: neededVariables(server.variables),
  };
}

function Values({ values, variables }: { values: string; variables: readonly Variable[] }) {
  return (
    <div class="client-values">
      <p>{values}:</p>
      <ul>
        {variables.map(({ name, description, required }) => (
          <li>
            <code>{name}</code>
            {required ? null : <span class="optional">&nbsp;(optional)</span>}
            {description === null ? null : (
              <>
                {": "}
                <bdi>{description}</bdi>
              </>
            )}
          </li>
        ))}
      </ul>
    </div>
  );
}

function File({ entry }: { entry: ClientEntry }) {
  const { id, label, where, snippet } = entry;
  return (
    <>
      <p class="quiet client-where">{where}</p>
      <Copy id={`snippet-${id}`} text={snippet} label={`the snippet for ${label}`} />
    </>
  );
}

/** One client: its button, its command or its file; all of them where `full`. */
export function ClientPanel(
  { request, server, client, full = false }: {
    request: PageRequest;
    server: ServerDetail;
    client: ClientId;
    full?: boolean;
  },
) {
  const input = clientInput(request, server);
  const entry = entryOfClient(client, input);
  const { label, link, command, values, next } = entry;
  const pull = pullCommand(client, server.name);
  return (
    <>
      {link === null ? null : (
        <p>
          <a href={link} class="button">Add to {label}</a>
        </p>
      )}
      {command === null
        ? null
        : <Copy id={`command-${client}`} text={command} label={`the command for ${label}`} />}
      {full && (link ?? command) !== null ? <h4>Or in its configuration</h4> : null}
      {full || command === null ? <File entry={entry} /> : null}
      {values === null ? null : <Values values={values} variables={input.variables} />}
      {full && next !== null ? <p>Then: {next}.</p> : null}
      {full && pull !== null
        ? (
          <>
            <h4>Or with the command line</h4>
            <Copy id="berth" text={pull} label="the command" />
          </>
        )
        : null}
    </>
  );
}
