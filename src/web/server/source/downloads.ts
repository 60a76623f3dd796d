/**
 * What can be downloaded of a server: badges, its report, and the report in other forms.
 *
 * @module
 */
import type { Hono } from "hono";
import type { HttpEnv } from "../../../http/environment.ts";
import { conditional, REVALIDATE } from "../../../http/preconditions.ts";
import { CYCLONEDX_TYPE, cyclonedxOf } from "../../../scan/export/cyclonedx.ts";
import { SARIF_TYPE, sarifOf } from "../../../scan/export/sarif.ts";
import type { SecurityReport } from "../../../scan/schema.ts";
import type { WebServices } from "../../services.ts";
import { badgeSvg, shieldsBadge } from "../badge.ts";

/** A server's report, with what belongs to it. */
interface Subject {
  name: string;
  version: string;
  /** Empty where the scan is not kept. */
  scanId: string;
  report: SecurityReport;
}

interface Download {
  path: string;
  type: string;
  body: (subject: Subject) => string;
}

const pretty = (value: unknown) => `${JSON.stringify(value, null, 2)}\n`;

const BADGES: Download[] = [
  { path: "/badge.svg", type: "image/svg+xml", body: ({ report }) => badgeSvg(report.status) },
  {
    path: "/badge.json",
    type: "application/json",
    body: ({ report }) => pretty(shieldsBadge(report.status)),
  },
  { path: "/report.json", type: "application/json", body: ({ report }) => pretty(report) },
];

/** These have more than the record shows: what was checked is kept with the scan. */
const EXPORTS: Download[] = [
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

/** Adds the routes below `base`, which has the server's name as `:name`. */
export function addDownloads(app: Hono<HttpEnv>, base: string, { app: services }: WebServices) {
  const { registry } = services;

  async function record(name: string): Promise<Subject> {
    const { server } = await registry.get(name);
    return { name, version: server.version, scanId: "", report: server.security_report };
  }

  async function kept(name: string): Promise<Subject> {
    const shown = await record(name);
    const { scans: [last] } = await registry.scans(name, { limit: 1 });
    if (last === undefined) return shown;
    const { report, version } = await registry.scanReport(last.id, null);
    return { name, version, scanId: last.id, report };
  }

  for (const [downloads, read] of [[BADGES, record], [EXPORTS, kept]] as const) {
    for (const { path, type, body } of downloads) {
      app.get(`${base}${path}`, conditional(), async (c) => {
        const subject = await read(c.req.param("name") ?? "");
        const headers = { "Content-Type": type, "Cache-Control": REVALIDATE };
        return c.body(body(subject), 200, headers);
      });
    }
  }
}
