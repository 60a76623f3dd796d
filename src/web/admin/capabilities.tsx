/**
 * `/admin/capabilities`: servers that run what their callers write, and what administrators answer.
 *
 * @module
 */
import { AppError } from "../../errors.ts";
import { issueText } from "../../issues.ts";
import {
  AnswerCapabilities,
  type CapabilityCase,
  CapabilityQuery,
} from "../../registry/capabilities/schema.ts";
import { kindsInWords } from "../../scan/capabilities_schema.ts";
import { MorePages } from "../layout/audit_table.tsx";
import { CapabilitySigns } from "../layout/capability_signs.tsx";
import { fieldOf, Form, readForm, TextField } from "../layout/forms.tsx";
import { Alert, Empty, Notice, Table, Time } from "../layout/parts.tsx";
import { seeOther } from "../layout/respond.tsx";
import type { UserRequest } from "../layout/signed_in.tsx";
import { Verdict } from "../layout/verdict.tsx";
import { sourcePath } from "../server/source/code.tsx";
import { showAdmin } from "./frame.tsx";

const PATH = "/admin/capabilities";
const STATES = [["waiting", "Waiting"], ["allowed", "Allowed"], ["refused", "Refused"]] as const;
const SHOWN_TOOLS = 10;

type State = CapabilityCase["state"];

/** An answer that was not stored. */
interface Refused {
  name: string;
  message: string;
  reason: string;
  status: 400 | 409;
}

function Evidence({ request, one }: { request: UserRequest; one: CapabilityCase }) {
  return (
    <Table
      label={`What ${one.name} runs`}
      dense
      stack
      columns={["What", "Tools", "Place"]}
    >
      {one.runs.map(({ kind, tools, file, line }) => (
        <tr>
          <td>It {kindsInWords([kind]).join()}</td>
          <td class="wrap" data-label="Tools">
            <bdi>{tools.slice(0, SHOWN_TOOLS).join(", ")}</bdi>
            {tools.length > SHOWN_TOOLS ? ` and ${tools.length - SHOWN_TOOLS} more` : null}
          </td>
          <td class="wrap" data-label="Place">
            <a href={request.links.path(sourcePath(one.name, file, line))}>
              <bdi>{`${file}:${line}`}</bdi>
            </a>
          </td>
        </tr>
      ))}
    </Table>
  );
}

function LastAnswer({ one: { answer, state } }: { one: CapabilityCase }) {
  if (answer === null) return null;
  const outdated = state === "waiting"
    ? " It no longer holds: what the server can do, or its " +
      "owner, has changed."
    : "";
  return (
    <p>
      {answer.answer === "allow" ? "Allowed" : "Refused"} by {answer.by ?? "a former user"} on{" "}
      <Time at={answer.at} exact /> (
      {kindsInWords(answer.capabilities).join(", ")}): <bdi>{answer.reason}</bdi>.{outdated}
    </p>
  );
}

function Case(
  { request, one, refused }: {
    request: UserRequest;
    one: CapabilityCase;
    refused: Refused | null;
  },
) {
  const { name, version, author, owner, scan_status, state, capabilities } = one;
  const fault = refused?.name === name ? refused : null;
  return (
    <section aria-labelledby={`case-${name}`}>
      <div class="server-head">
        <h2 id={`case-${name}`}>
          <a href={request.links.path(`/servers/${name}`)}>{name}</a>
        </h2>
        <span class="quiet">{version}</span>
        <Verdict status={scan_status} />
        <CapabilitySigns capabilities={capabilities} />
      </div>
      <p class="quiet">
        by <bdi>{author}</bdi>, owned by {owner ?? "an unknown user"}, updated{" "}
        <Time at={one.updated_at} />
      </p>
      <Evidence request={request} one={one} />
      <LastAnswer one={one} />
      <Form request={request} action={PATH}>
        <input type="hidden" name="name" value={name} />
        <input type="hidden" name="state" value={state} />
        <input type="hidden" name="capabilities" value={capabilities.join()} />
        <TextField
          view={{
            name: `reason-${name}`,
            label: "Reason",
            value: fault?.reason ?? "",
            hint: "Everyone can read it on the server's page",
            fault: fault?.message,
            attributes: { name: "reason", autocomplete: "off", maxlength: 1000 },
          }}
        />
        <p class="actions">
          {state === "allowed" ? null : (
            <button type="submit" name="answer" value="allow">
              Allow<span class="visually-hidden">{` ${name}`}</span>
            </button>
          )}
          {state === "refused"
            ? null
            : (
              <button type="submit" name="answer" value="refuse" class="danger">
                Refuse<span class="visually-hidden">{` ${name}`}</span>
              </button>
            )}
        </p>
      </Form>
    </section>
  );
}

const EMPTY: Record<State, string> = {
  waiting: "No servers wait for permission",
  allowed: "No servers were allowed",
  refused: "No servers were refused",
};

function States({ request, state }: { request: UserRequest; state: State }) {
  return (
    <nav aria-label="Answers" class="actions spaced">
      {STATES.map(([value, label]) => (
        <a
          href={request.links.path(`${PATH}?state=${value}`)}
          aria-current={value === state ? "page" : undefined}
          class={value === state ? "button" : "button secondary"}
        >
          {label}
        </a>
      ))}
    </nav>
  );
}

/** Shows the servers in one state; an address with other values shows those that wait. */
export async function showCapabilities(
  request: UserRequest,
  refused: Refused | null = null,
  asked: { state?: string; cursor?: string } = request.c.req.query(),
): Promise<Response> {
  const { services } = request;
  const { state, cursor } = asked;
  const read = CapabilityQuery.safeParse({ state, cursor });
  const query = read.success ? read.data : CapabilityQuery.parse({});
  const { cases, nextCursor } = await services.app.registry.capabilityCases(query);
  const { capabilities: policy = "show" } = services.rules;
  const next = nextCursor === null
    ? null
    : `?${new URLSearchParams({ state: query.state, cursor: nextCursor })}`;
  return await showAdmin(request, {
    tab: PATH,
    title: "Capabilities",
    status: refused?.status ?? 200,
    content: (
      <>
        {policy === "ask" ? null : (
          <Notice>
            <p>
              CAPABILITY_POLICY is <code>{policy}</code>: answers are kept, and decide once it is
              {" "}
              <code>ask</code>.
            </p>
          </Notice>
        )}
        {refused === null ? null : (
          <Alert>
            <p>{refused.message}</p>
          </Alert>
        )}
        <States request={request} state={query.state} />
        {cases.length === 0
          ? <Empty title={EMPTY[query.state]} />
          : cases.map((one) => <Case request={request} one={one} refused={refused} />)}
        <MorePages href={next} label="More" />
      </>
    ),
  });
}

/** Stores an administrator's answer, and leads back to the list that it was given in. */
export async function answerCapabilities(request: UserRequest): Promise<Response> {
  const { c, caller, services } = request;
  const form = await readForm(request);
  const [name, state, reason] = ["name", "state", "reason"].map((field) => fieldOf(form, field));
  const parsed = AnswerCapabilities.safeParse({
    answer: fieldOf(form, "answer"),
    capabilities: fieldOf(form, "capabilities").split(","),
    reason,
  });
  const again = (status: 400 | 409, message: string) =>
    showCapabilities(request, { name: name!, message, reason: reason!, status }, { state: state! });
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    return await again(
      400,
      `${issue!.path[0] === "reason" ? "The reason" : "This"} ${issueText(issue!)}`,
    );
  }
  try {
    const context = { requestId: c.get("requestId") };
    await services.app.registry.answerCapabilities(caller, name!, parsed.data, context);
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== "conflict") throw error;
    return await again(409, error.message);
  }
  return seeOther(request, `${PATH}?${new URLSearchParams({ state: state! })}`);
}
