/**
 * `/servers/{name}/source/{path}`: a scanned file around a line.
 *
 * @module
 */
import { sourceFileNotFound, textFileNotFound } from "../../failures.ts";
import { readDigits } from "../../../numbers.ts";
import type { PageRequest } from "../../layout/context.ts";
import { showPage } from "../../layout/respond.tsx";
import { Code } from "./code.tsx";
import { hiddenLines, linesOf, shownLine } from "./excerpt.ts";
import { ServerFrame } from "../frame.tsx";
import { loadServer, type ScannedFiles } from "../load.ts";

/** Lines of a page. */
const WINDOW = 400;

function pathIn({ c }: PageRequest, name: string): string {
  const prefix = `/servers/${name}/source/`;
  try {
    return new URL(c.req.url).pathname.slice(prefix.length).split("/").map(decodeURIComponent)
      .join("/");
  } catch {
    throw sourceFileNotFound();
  }
}

/** Shows the page. @throws {AppError} `not_found`. */
export async function showSource(request: PageRequest, files: ScannedFiles): Promise<Response> {
  const loaded = await loadServer(request);
  const { server } = loaded;
  const { links } = request;
  const path = pathIn(request, server.name);
  const lines = linesOf(await files(server), path);
  if (lines === null) throw textFileNotFound();
  const asked = readDigits(request.c.req.query("line") ?? "") ?? 1;
  const line = Math.max(1, Math.min(asked, lines.count));
  const from = Math.max(1, line - WINDOW / 2);
  const to = Math.min(lines.count, from + WINDOW - 1);
  const hidden = hiddenLines(server.security_report);
  const shown = Array.from({ length: to - from + 1 }, (_, index) => ({
    number: from + index,
    text: shownLine(lines.line(from + index), from + index, { path, hidden }),
    marked: request.c.req.query("line") !== undefined && from + index === line,
  }));
  const other = (at: number) =>
    `${
      links.path(
        `/servers/${server.name}/source/${path.split("/").map(encodeURIComponent).join("/")}`,
      )
    }?line=${at}`;
  return await showPage(
    request,
    { title: `${path} · ${server.name}`, section: "servers" },
    <ServerFrame request={request} loaded={loaded} tab="/security">
      <h2>
        <bdi>{path}</bdi>
      </h2>
      <p class="quiet">
        Lines {from} to {to} of {lines.count}, at commit{" "}
        <code>{server.source.commit.slice(0, 12)}</code>
      </p>
      <Code lines={shown} label={`Source of ${path}`} anchors />
      <nav class="pages" aria-label="Pages of the file">
        {from > 1
          ? (
            <a href={other(Math.max(1, from - WINDOW / 2))} class="button secondary">
              Previous
            </a>
          )
          : null}
        {to < lines.count
          ? <a href={other(to + WINDOW / 2)} class="button secondary">Next</a>
          : null}
      </nav>
    </ServerFrame>,
  );
}
