/**
 * What owners do with a server, by forms.
 *
 * @module
 */
import { GroupName } from "../../../access/schema.ts";
import { StoreClient } from "../../../connections/owner_clients.ts";
import { AppError } from "../../../errors.ts";
import { nameNotConfirmed, usernameInvalid } from "../../failures.ts";
import { invalidRequest } from "../../../http/validation.ts";
import { OfferTransfer } from "../../../registry/ownership/transfer_schema.ts";
import { UpdateServer } from "../../../registry/schema.ts";
import { fieldOf, readForm } from "../../layout/forms.tsx";
import { seeOther } from "../../layout/respond.tsx";
import type { UserRequest } from "../../layout/signed_in.tsx";
import { bodyOf, readRecordForm } from "./fields.tsx";
import { configurationOfRows, readVariableRows } from "./variables.tsx";
import { type Refused, showManage } from "./manage.tsx";

function nameIn({ c }: UserRequest): string {
  return c.req.param("name") ?? "";
}

/** Shows the page with the failure of `work`, where it is one that the user can do something about. */
async function orShow(
  request: UserRequest,
  refused: Omit<Refused, "error">,
  work: () => Promise<Response>,
): Promise<Response> {
  try {
    return await work();
  } catch (error) {
    const shown = ["invalid_request", "repository_refused", "conflict", "stale", "rate_limited"];
    // Of an offer it is the recipient that is not found, of a reader the user.
    if (["transfer", "access"].includes(refused.part)) shown.push("not_found");
    if (!(error instanceof AppError) || !shown.includes(error.code)) throw error;
    return await showManage(request, { ...refused, error });
  }
}

export async function changeRecord(request: UserRequest): Promise<Response> {
  const sent = await readForm(request);
  const form = readRecordForm(sent);
  const name = nameIn(request);
  const { registry } = request.services.app;
  await registry.authorizeChange(request.caller, name, bodyOf(form));
  return await orShow(request, { part: "change", form }, async () => {
    const input = UpdateServer.safeParse(bodyOf(form));
    if (!input.success) throw invalidRequest("form", input.error.issues);
    const ifMatch = fieldOf(sent, "etag");
    const outcome = await registry.startUpdate(request.caller, name, input.data, {
      requestId: request.c.get("requestId"),
      ...(ifMatch === "" ? {} : { ifMatch }),
    });
    return outcome.kind === "scanning"
      ? seeOther(request, `/scans/${outcome.scanId}`)
      : seeOther(request, `/servers/${name}/manage`);
  });
}

/** Changes what the author declares of the variables. */
export async function changeVariables(request: UserRequest): Promise<Response> {
  const sent = await readForm(request);
  const rows = readVariableRows(sent);
  const name = nameIn(request);
  const { registry } = request.services.app;
  await registry.authorizeChange(request.caller, name);
  return await orShow(request, { part: "variables", rows }, async () => {
    const configuration = sent.has("reset") ? null : configurationOfRows(rows);
    const input = UpdateServer.safeParse({ configuration });
    if (!input.success) throw invalidRequest("form", input.error.issues);
    const context = { requestId: request.c.get("requestId") };
    await registry.update(request.caller, name, input.data, context);
    return seeOther(request, `/servers/${name}/manage#variables`);
  });
}

/** Stores a client at the service of a variable, or removes it. */
export async function changeClient(request: UserRequest): Promise<Response> {
  const sent = await readForm(request);
  const name = nameIn(request);
  const variable = fieldOf(sent, "variable");
  const { connections } = request.services.app;
  const place = { server: name, variable };
  const context = { requestId: request.c.get("requestId") };
  return await orShow(request, { part: "clients" }, async () => {
    if (sent.has("remove")) await connections.removeClient(request.caller, place, context);
    else {
      const secret = fieldOf(sent, `client-secret-${variable}`);
      const input = StoreClient.safeParse({
        client_id: fieldOf(sent, `client-id-${variable}`),
        ...(secret === "" ? {} : { client_secret: secret }),
      });
      if (!input.success) throw invalidRequest("form", input.error.issues);
      await connections.storeClient(request.caller, place, input.data, context);
    }
    return seeOther(request, `/servers/${name}/manage#clients`);
  });
}

/** Names a user or a group as a reader, or stops naming them. */
export async function changeReaders(request: UserRequest): Promise<Response> {
  const sent = await readForm(request);
  const name = nameIn(request);
  const { access, registry } = request.services.app;
  await registry.authorizeChange(request.caller, name);
  return await orShow(request, { part: "access" }, async () => {
    const user = fieldOf(sent, "user");
    const group = GroupName.safeParse(fieldOf(sent, "group"));
    if (user === "" && !group.success) throw invalidRequest("form", group.error.issues);
    const reader = user === "" ? { group: group.data! } : { user };
    const context = { requestId: request.c.get("requestId") };
    if (sent.has("remove")) await access.remove(request.caller, name, reader, context);
    else await access.add(request.caller, name, reader, context);
    return seeOther(request, `/servers/${name}/manage#access`);
  });
}

export async function scanAgain(request: UserRequest): Promise<Response> {
  await readForm(request);
  return await orShow(request, { part: "scan" }, async () => {
    const context = { requestId: request.c.get("requestId") };
    const { registry } = request.services.app;
    const { scanId } = await registry.rescan(request.caller, nameIn(request), context);
    return seeOther(request, `/scans/${scanId}`);
  });
}

/** Offers the server to another user. */
export async function offerTransfer(request: UserRequest): Promise<Response> {
  const form = await readForm(request);
  const { transfers } = request.services.app;
  await transfers.authorizeOffer(request.caller, nameIn(request));
  return await orShow(request, { part: "transfer" }, async () => {
    const input = OfferTransfer.safeParse({ to: fieldOf(form, "to") });
    if (!input.success) throw usernameInvalid();
    const context = { requestId: request.c.get("requestId") };
    await transfers.offer(request.caller, nameIn(request), input.data, context);
    return seeOther(request, "/profile");
  });
}

/** Removes the server when its name is typed. */
export async function removeRecord(request: UserRequest): Promise<Response> {
  const form = await readForm(request);
  const name = nameIn(request);
  return await orShow(request, { part: "remove" }, async () => {
    if (fieldOf(form, "confirm") !== name) throw nameNotConfirmed(name);
    const context = { requestId: request.c.get("requestId") };
    await request.services.app.registry.remove(request.caller, name, context);
    return seeOther(request, "/profile");
  });
}
