/**
 * `/publish`: from a repository's address to a scan that runs.
 *
 * @module
 */
import { AppError } from "../../errors.ts";
import { repositoryMissing } from "../failures.ts";
import { invalidRequest } from "../../http/validation.ts";
import { CreateServer } from "../../registry/schema.ts";
import { Term } from "../guide/glossary.tsx";
import { fieldOf, Form, readForm, TextField } from "../layout/forms.tsx";
import { Alert, Notice } from "../layout/parts.tsx";
import { plural } from "../../text/plural.ts";
import { seeOther, showPage } from "../layout/respond.tsx";
import type { UserRequest } from "../layout/signed_in.tsx";
import {
  bodyOf,
  EMPTY_FORM,
  faultsOf,
  readRecordForm,
  RecordFields,
  type RecordForm,
} from "../server/manage/fields.tsx";
import { type Inspected, inspectRepository } from "./inspect.ts";

const HEAD = { title: "Publish a server", section: "publish" as const };
/** Failures that the user can do something about. */
const SHOWN = [
  "invalid_request",
  "repository_refused",
  "conflict",
  "rate_limited",
  "unavailable",
  "forbidden",
];

function Steps({ current }: { current: 1 | 2 | 3 }) {
  const steps = ["Repository", "Details", "Scan"];
  return (
    <ol class="steps" aria-label="Steps">
      {steps.map((step, index) => (
        <li aria-current={index + 1 === current ? "step" : undefined}>{step}</li>
      ))}
    </ol>
  );
}

/** The first step: the repository. */
export async function showPublish(
  request: UserRequest,
  wrong: { url: string; error: AppError } | null = null,
): Promise<Response> {
  return await showPage(
    request,
    HEAD,
    <>
      <h1>Publish a server</h1>
      <Steps current={1} />
      <p>
        Enter the URL of a public repository, or of a private one that{" "}
        <a href={request.links.path("/profile/code-hosts")}>a token of yours</a>{" "}
        may read. There is nothing to build or upload: Berth fetches one commit,{" "}
        <Term word="scan" links={request.links}>scans</Term> it, and runs exactly that commit in a
        {" "}
        <Term word="sandbox" links={request.links}>sandbox</Term>.
      </p>
      {wrong === null ? null : (
        <Alert>
          <p>{wrong.error.message}.</p>
        </Alert>
      )}
      <Form request={request} action="/publish/look" class="narrow wide">
        <TextField
          view={{
            name: "repository",
            label: "Repository",
            type: "url",
            value: wrong?.url ?? request.c.req.query("repository") ?? "",
            hint:
              "For example https://github.com/owner/name. Append /tree/<ref>/<folder> to select a branch and folder",
            attributes: { autocomplete: "url" },
          }}
        />
        <button type="submit">Inspect repository</button>
      </Form>
    </>,
    wrong === null ? {} : { status: wrong.error.status as 400 },
  );
}

function Found({ found }: { found: Inspected | null }) {
  if (found === null) return null;
  return (
    <Notice>
      <p>
        Found {plural(found.files, "file")} at commit{" "}
        <code>{found.commit.slice(0, 12)}</code>. The details below were filled in from it. Check
        them before you publish.
      </p>
      {found.isPrivate
        ? (
          <p>
            The repository is private, and so will the server be. You may change who reads the
            server later: they can read all that you publish, its source too.
          </p>
        )
        : null}
    </Notice>
  );
}

async function showDetails(
  request: UserRequest,
  view: { form: RecordForm; found: Inspected | null; error?: AppError },
): Promise<Response> {
  const { form, found, error } = view;
  return await showPage(
    request,
    HEAD,
    <>
      <h1>Publish a server</h1>
      <Steps current={2} />
      <Found found={found} />
      {error === undefined ? null : (
        <Alert>
          <p>{error.message}.</p>
        </Alert>
      )}
      <Form request={request} action="/publish">
        <RecordFields
          form={form}
          faults={faultsOf(error?.errors ?? [])}
          withName
          sources={found?.sources ?? {}}
        />
        <p class="quiet">
          The scan takes from a few seconds to two minutes. Everyone who can see the server sees its
          report, regardless of the result.
        </p>
        <button type="submit">Scan and publish</button>
      </Form>
    </>,
    error === undefined ? {} : { status: error.status as 400 },
  );
}

function isShown(error: unknown): error is AppError {
  return error instanceof AppError && SHOWN.includes(error.code);
}

/** The second step: what was found in the repository, to be checked. */
export async function look(request: UserRequest): Promise<Response> {
  const url = fieldOf(await readForm(request), "repository");
  try {
    if (url === "") throw repositoryMissing();
    const found = await inspectRepository(request.services, url, request.caller.userId);
    return await showDetails(request, { form: found.form, found });
  } catch (error) {
    if (!isShown(error)) throw error;
    return await showPublish(request, { url, error });
  }
}

/** The third step: the scan begins. */
export async function publish(request: UserRequest): Promise<Response> {
  const form = readRecordForm(await readForm(request));
  const { registry } = request.services.app;
  try {
    const body = { name: form.name, ...bodyOf(form) };
    await registry.authorizeCreate(request.caller, body);
    const input = CreateServer.safeParse(body);
    if (!input.success) throw invalidRequest("form", input.error.issues);
    const context = { requestId: request.c.get("requestId") };
    const { scanId } = await registry.startCreate(request.caller, input.data, context);
    return seeOther(request, `/scans/${scanId}`);
  } catch (error) {
    if (!isShown(error)) throw error;
    return await showDetails(request, { form: { ...EMPTY_FORM, ...form }, found: null, error });
  }
}
