/**
 * The section of the security page about what a server can do because it is for it.
 *
 * @module
 */
import { runsInWords } from "../../../scan/capabilities_schema.ts";
import type { SecurityReport } from "../../../scan/schema.ts";
import { Notice } from "../../layout/parts.tsx";

const MAX_TOOLS = 20;

function List({ title, items }: { title: string; items: readonly string[] }) {
  if (items.length === 0) return null;
  return (
    <li>
      {title}: {items.slice(0, MAX_TOOLS).map((item, at) => (
        <>
          {at === 0 ? null : ", "}
          <code>{item}</code>
        </>
      ))}
      {items.length > MAX_TOOLS ? ` and ${items.length - MAX_TOOLS} more` : null}
    </li>
  );
}

/** What it runs, reaches, reads and needs; nothing for reports that do not say it. */
export function CapabilitiesSection({ report }: { report: SecurityReport }) {
  const { capabilities } = report;
  if (capabilities === undefined) return null;
  const { runs, hosts, files, keys } = capabilities;
  const words = runsInWords(capabilities);
  if (words.length === 0 && hosts.length === 0 && !files && keys.length === 0) return null;
  const tools = [...new Set(runs.flatMap((each) => each.tools))].sort();
  return (
    <section aria-labelledby="capabilities">
      <h2 id="capabilities">Capabilities</h2>
      {words.length === 0 ? null : (
        <Notice>
          This server{" "}
          {words.join(" and ")}. That is what its tools are for, and no fault: whoever may call them
          decides what they do.
        </Notice>
      )}
      <ul>
        <List title="Tools that do so" items={tools} />
        <List title="Hosts that its code names" items={hosts} />
        {files ? <li>Its code uses files</li> : null}
        <List title="Keys that it reads" items={keys} />
      </ul>
    </section>
  );
}
