/**
 * What can be downloaded of a server: badges, its report, and the report in other forms.
 *
 * @module
 */
import { cacheControlFor } from "../../../http/preconditions.ts";
import type { Caller } from "../../../identity/caller.ts";
import type { Visibility } from "../../../access/schema.ts";
import { CYCLONEDX_TYPE, cyclonedxOf } from "../../../scan/export/cyclonedx.ts";
import { SARIF_TYPE, sarifOf } from "../../../scan/export/sarif.ts";
import type { SecurityReport } from "../../../scan/schema.ts";
import type { PageContext } from "../../layout/context.ts";
import type { WebServices } from "../../services.ts";
import { findVisitor } from "../../session/visitor.ts";
import { badgeSvg, shieldsBadge } from "../badge.ts";

/** A server's report, with what belongs to it. */
interface Subject {
  name: string;
  version: string;
  /** Empty where the scan is not kept. */
  scanId: string;
  report: SecurityReport;
  visibility: Visibility;
}

interface DownloadFile {
  path: string;
  type: string;
  body: (subject: Subject) => string;
}

const pretty = (value: unknown) => `${JSON.stringify(value, null, 2)}\n`;

const BADGES: DownloadFile[] = [
  { path: "/badge.svg", type: "image/svg+xml", body: ({ report }) => badgeSvg(report.status) },
  {
    path: "/badge.json",
    type: "application/json",
    body: ({ report }) => pretty(shieldsBadge(report.status)),
  },
  { path: "/report.json", type: "application/json", body: ({ report }) => pretty(report) },
];

/** These have more than the record shows: what was checked is kept with the scan. */
const EXPORTS: DownloadFile[] = [
  {
    path: "/report.sarif",
    type: SARIF_TYPE,
    body: ({ report, name }) => pretty(sarifOf(report, { server: name })),
  },
  {
    path: "/sbom.cdx.json",
    type: CYCLONEDX_TYPE,
    body: ({ report, name, version, scanId }) =>
      pretty(cyclonedxOf(report, { server: name, version, scanId })),
  },
];

/** A download: its path below the server's, and what answers. */
type Download = readonly [path: string, handler: (c: PageContext) => Promise<Response>];

/** The downloads of a server, whose name is the parameter `name`. */
export function downloads(services: WebServices): Download[] {
  const { registry } = services.app;

  async function record(name: string, viewer: Caller | null): Promise<Subject> {
    const { server } = await registry.get(name, viewer);
    const { visibility } = server;
    return {
      name,
      visibility,
      version: server.version,
      scanId: "",
      report: server.security_report,
    };
  }

  async function kept(name: string, viewer: Caller | null): Promise<Subject> {
    const shown = await record(name, viewer);
    const { scans: [last] } = await registry.scans(name, { limit: 1 }, viewer);
    if (last === undefined) return shown;
    const { report, version } = await registry.scanReport(last.id, viewer);
    return { ...shown, version, scanId: last.id, report };
  }

  return ([[BADGES, record], [EXPORTS, kept]] as const).flatMap(([files, read]) =>
    files.map(({ path, type, body }): Download => [path, async (c) => {
      const { caller } = await findVisitor(c, services);
      const subject = await read(c.req.param("name") ?? "", caller);
      const headers = {
        "Content-Type": type,
        "Cache-Control": cacheControlFor(subject.visibility),
        "Vary": "Cookie",
      };
      return c.body(body(subject), 200, headers);
    }])
  );
}
