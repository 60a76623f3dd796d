/**
 * `/servers/{name}/keys`: which variables a server takes.
 *
 * @module
 */
import type { PageRequest } from "../../layout/context.ts";
import { Empty } from "../../layout/parts.tsx";
import { showPage } from "../../layout/respond.tsx";
import { headOf, ServerFrame } from "../frame.tsx";
import { loadServer } from "../load.ts";
import { VariablesTable } from "./variables_table.tsx";

export async function showKeys(request: PageRequest): Promise<Response> {
  const loaded = await loadServer(request);
  const { variables, configuration } = loaded.server;
  return await showPage(
    request,
    headOf(loaded, "/keys", "Keys"),
    <ServerFrame request={request} loaded={loaded} tab="/keys">
      <h2>Keys and settings</h2>
      {variables.length === 0 ? <Empty title="This server takes no variables" /> : (
        <>
          <p class="quiet">
            {configuration === null
              ? "The scan found these environment variables in the code."
              : "The author declares these environment variables."}
          </p>
          <VariablesTable variables={variables} />
        </>
      )}
    </ServerFrame>,
  );
}
