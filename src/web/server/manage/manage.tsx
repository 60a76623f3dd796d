/**
 * `/servers/{name}/manage`: what owners do with a server.
 *
 * @module
 */
import type { AppError } from "../../../errors.ts";
import { AuditTable } from "../../layout/audit_table.tsx";
import { ButtonForm, Form, TextField } from "../../layout/forms.tsx";
import { Alert, Empty } from "../../layout/parts.tsx";
import { showPage } from "../../layout/respond.tsx";
import type { UserRequest } from "../../layout/signed_in.tsx";
import { AccessSection } from "./access.tsx";
import { faultsOf, formOfServer, RecordFields, type RecordForm } from "./fields.tsx";
import { headOf, ServerFrame } from "../frame.tsx";
import { readClients, ServiceClients } from "./service_clients.tsx";
import { type VariableRow, VariablesForm } from "./variables.tsx";
import { type LoadedServer, loadServer } from "../load.ts";

/** What went wrong with a change. */
export interface Refused {
  error: AppError;
  /** What was sent, where it was the record's form. */
  form?: RecordForm;
  /** What was sent, where it was the form of variables. */
  rows?: VariableRow[];
  /** Which part of the page it is about. */
  part: "access" | "change" | "variables" | "clients" | "transfer" | "remove" | "scan";
}

function RefusedAlert({ refused, part }: { refused: Refused | null; part: Refused["part"] }) {
  if (refused?.part !== part) return null;
  return (
    <Alert>
      <p>{refused.error.message}.</p>
    </Alert>
  );
}

function Change({ request, loaded, refused }: PartProps) {
  const { server, etag } = loaded;
  const base = `/servers/${server.name}/manage`;
  const errors = refused?.part === "change" ? refused.error.errors : [];
  return (
    <section aria-labelledby="change">
      <h2 id="change">Edit details</h2>
      <p class="quiet">
        Changing the version, repository, entrypoint or language fetches and scans the server again.
      </p>
      <RefusedAlert refused={refused} part="change" />
      <Form request={request} action={`${base}/change`}>
        <input type="hidden" name="etag" value={etag} />
        <RecordFields
          form={refused?.form ?? formOfServer(server)}
          faults={faultsOf(errors)}
          withName={false}
        />
        <button type="submit">Save</button>
      </Form>
    </section>
  );
}

interface PartProps {
  request: UserRequest;
  loaded: LoadedServer;
  refused: Refused | null;
}

function Transfer({ request, loaded, refused }: PartProps) {
  const { name } = loaded.server;
  return (
    <section aria-labelledby="transfer">
      <h2 id="transfer">Transfer ownership</h2>
      <p class="quiet">The new owner has two weeks to accept. Until then the server stays yours.</p>
      <RefusedAlert refused={refused} part="transfer" />
      <Form request={request} action={`/servers/${name}/manage/transfer`} class="inline-form">
        <TextField
          view={{
            name: "to",
            label: "Username of the new owner",
            attributes: { autocomplete: "off", autocapitalize: "off", spellcheck: "false" },
          }}
        />
        <button type="submit" class="secondary">Offer</button>
      </Form>
    </section>
  );
}

function Remove({ request, loaded, refused }: PartProps) {
  const { name } = loaded.server;
  return (
    <section aria-labelledby="remove">
      <h2 id="remove">Remove server</h2>
      <p class="quiet">
        Its sessions will end. The name stays reserved for you for 30 days.
      </p>
      <RefusedAlert refused={refused} part="remove" />
      <Form request={request} action={`/servers/${name}/manage/remove`} class="inline-form">
        <TextField
          view={{
            name: "confirm",
            label: `Type ${name} to confirm`,
            attributes: { autocomplete: "off", autocapitalize: "off", spellcheck: "false" },
          }}
        />
        <button type="submit" class="danger">Remove {name}</button>
      </Form>
    </section>
  );
}

/** Shows the page, with why a change was refused. */
export async function showManage(
  request: UserRequest,
  refused: Refused | null = null,
): Promise<Response> {
  const loaded = await loadServer(request);
  const { server, rights } = loaded;
  const { name } = server;
  const { caller, services } = request;
  // Throws for whoever may not.
  const { entries } = await services.app.audit.listOfServer(caller, name, { limit: 50 });
  const parts = { request, loaded, refused };
  return await showPage(
    request,
    headOf(loaded, "/manage", "Manage"),
    <ServerFrame request={request} loaded={loaded} tab="/manage">
      <section aria-labelledby="scan">
        <h2 id="scan">Scan</h2>
        <RefusedAlert refused={refused} part="scan" />
        <p>Fetches the repository again and scans its current content.</p>
        <ButtonForm request={request} action={`/servers/${name}/manage/scan`} label="Rescan" />
      </section>
      <Change {...parts} />
      <RefusedAlert refused={refused} part="access" />
      <AccessSection
        request={request}
        server={name}
        access={await services.app.access.show(caller, name)}
      />
      {refused?.error.errors.length === 0
        ? <RefusedAlert refused={refused} part="variables" />
        : null}
      <VariablesForm
        request={request}
        server={server}
        sent={refused?.rows ?? null}
        errors={refused?.part === "variables" ? refused.error.errors : []}
      />
      <RefusedAlert refused={refused} part="clients" />
      <ServiceClients
        request={request}
        server={name}
        clients={await readClients(request, loaded)}
      />
      {rights.own ? <Transfer {...parts} /> : null}
      <Remove {...parts} />
      <section aria-labelledby="history">
        <h2 id="history">Activity</h2>
        {entries.length === 0
          ? <Empty title="No activity yet" />
          : <AuditTable entries={entries} label="Activity" who />}
      </section>
    </ServerFrame>,
    refused === null ? {} : { status: refused.error.status === 409 ? 409 : 400 },
  );
}
