/**
 * The part of an OSV record that is used (OSV schema 1.x, https://ossf.github.io/osv-schema/).
 * Records come from a service or a file and are parsed before use.
 *
 * @module
 */
import { z } from "zod";

const text = (max: number) => z.string().max(max);

// Lists of hostile records are cut by refusing the record, not by reading half of it.
const Event = z.object({
  introduced: text(200).optional(),
  fixed: text(200).optional(),
  last_affected: text(200).optional(),
  limit: text(200).optional(),
});

const Range = z.object({
  type: z.enum(["SEMVER", "ECOSYSTEM", "GIT"]),
  events: z.array(Event).max(5_000),
});

const SeverityScore = z.object({ type: text(40), score: text(300) });

const Affected = z.object({
  package: z.object({ ecosystem: text(100), name: text(300) }).nullish(),
  ranges: z.array(Range).max(5_000).nullish(),
  versions: z.array(text(200)).max(50_000).nullish(),
  severity: z.array(SeverityScore).max(20).nullish(),
});

/** One advisory. */
export const OsvRecord = z.object({
  id: text(100).regex(/^[A-Za-z0-9][\w.:-]*$/),
  summary: text(5_000).nullish(),
  details: text(500_000).nullish(),
  aliases: z.array(text(100)).max(500).nullish(),
  withdrawn: text(60).nullish(),
  severity: z.array(SeverityScore).max(20).nullish(),
  affected: z.array(Affected).max(5_000).nullish(),
  database_specific: z.object({ severity: z.unknown(), cwe_ids: z.unknown() }).partial().nullish(),
});
export type OsvRecord = z.infer<typeof OsvRecord>;
/** Versions of one package that a record affects. */
export type OsvAffected = z.infer<typeof Affected>;
/** A range of versions as a list of events. */
export type OsvRange = z.infer<typeof Range>;

/** Answer to `POST /v1/querybatch`: results in the order of the queries, ids only. */
export const QueryBatchAnswer = z.object({
  results: z.array(
    z.object({
      vulns: z.array(z.object({ id: OsvRecord.shape.id })).max(5_000).nullish(),
      next_page_token: text(4_000).nullish(),
    }),
  ),
});
