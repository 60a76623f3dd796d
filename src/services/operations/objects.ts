/**
 * Wiring of the store of objects that archives are kept in.
 *
 * @module
 */
import type { Config } from "../../config.ts";
import { type ArchiveObjects, s3Objects } from "../../repository/objects.ts";

/** The store that the configuration names; null where it names none. */
export function objectsOf(config: Config): ArchiveObjects | null {
  if (config.ARCHIVES_S3_URL === undefined) return null;
  return s3Objects({
    url: config.ARCHIVES_S3_URL,
    region: config.ARCHIVES_S3_REGION,
    accessKeyId: config.ARCHIVES_S3_ACCESS_KEY_ID!,
    secretAccessKey: config.ARCHIVES_S3_SECRET_ACCESS_KEY!,
  });
}
