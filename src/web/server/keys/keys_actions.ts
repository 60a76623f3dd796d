/**
 * What visitors do with their values for a server, by forms.
 *
 * @module
 */
import { AppError } from "../../../errors.ts";
import { AUDIENCES } from "../../../keys/schema.ts";
import { readForm } from "../../layout/forms.tsx";
import { seeOther } from "../../layout/respond.tsx";
import type { UserRequest } from "../../layout/signed_in.tsx";
import { loadServer } from "../load.ts";
import { showKeys } from "./keys.tsx";
import { valuesIn } from "./value_field.tsx";

async function orShow(
  request: UserRequest,
  name: string,
  work: () => Promise<unknown>,
): Promise<Response> {
  try {
    await work();
  } catch (error) {
    const isShown = error instanceof AppError &&
      ["invalid_request", "conflict"].includes(error.code);
    if (!isShown) throw error;
    return await showKeys(request, error);
  }
  return seeOther(request, `/servers/${name}/keys`);
}

/** Keeps what was entered. */
export async function keepKeys(request: UserRequest): Promise<Response> {
  const form = await readForm(request);
  const { server: { name, variables } } = await loadServer(request);
  const audience = form.has("everyone") ? "everyone" : "me";
  const context = { requestId: request.c.get("requestId") };
  const { keys } = request.services.app;
  return await orShow(request, name, async () => {
    for (const [variable, value] of Object.entries(valuesIn(form, variables))) {
      const place = { server: name, variable, shown: form.get("terms") ?? "" };
      await keys.keep(request.caller, place, { value, for: audience }, context);
    }
  });
}

/** Forgets one value. */
export async function removeKey(request: UserRequest): Promise<Response> {
  const form = await readForm(request);
  const name = request.c.req.param("name") ?? "";
  const audience = AUDIENCES.find((each) => each === form.get("for")) ?? "me";
  const which = { server: name, variable: form.get("variable") ?? "", for: audience };
  const context = { requestId: request.c.get("requestId") };
  return await orShow(
    request,
    name,
    () => request.services.app.keys.remove(request.caller, which, context),
  );
}

/** Gives the values to the server as it is now. */
export async function agree(request: UserRequest): Promise<Response> {
  const form = await readForm(request);
  const name = request.c.req.param("name") ?? "";
  const context = { requestId: request.c.get("requestId") };
  return await orShow(
    request,
    name,
    () =>
      request.services.app.keys.agree(
        request.caller,
        { server: name, shown: form.get("terms") ?? "" },
        context,
      ),
  );
}
