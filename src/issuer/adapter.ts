/**
 * What the OpenID provider remembers, in the table `issuer_state`.
 *
 * @module
 */
import type { Adapter, AdapterPayload } from "oidc-provider";
import type { Queryable, Sql } from "../database/client.ts";
import { sha256Hex } from "./digest.ts";

/** Models whose id is the secret that the client holds: only its digest is stored. */
const SECRET_IDS = new Set(["AuthorizationCode", "RefreshToken", "RegistrationAccessToken"]);
/** Models that end together with their grant. */
const GRANTED = new Set(["AccessToken", "AuthorizationCode", "RefreshToken", "DeviceCode"]);

export interface AdapterDeps {
  sql: Sql;
  now: () => Date;
  /** The error that a second use of a code or refresh token ends with. */
  alreadyUsed: () => Error;
}

interface Row {
  payload: AdapterPayload;
  consumed: number | null;
}

function revive(row: Row | undefined, id?: string): AdapterPayload | undefined {
  if (row === undefined) return undefined;
  return {
    ...row.payload,
    ...(id === undefined ? {} : { jti: id }),
    ...(row.consumed === null ? {} : { consumed: row.consumed }),
  };
}

/**
 * The store of one model. Reads leave out what has expired; `consume` succeeds once, on however
 * many nodes it is tried at the same time.
 */
export function createAdapter(deps: AdapterDeps, model: string): Adapter {
  const { sql, now } = deps;
  const secret = SECRET_IDS.has(model);
  const key = async (id: string) => secret ? await sha256Hex(id) : id;
  const columns = sql`payload, extract(epoch from consumed_at)::float8 as consumed`;
  const alive = () => sql`model = ${model} and (expires_at is null or expires_at > ${now()})`;

  return {
    async upsert(id, payload, expiresIn) {
      const { jti: _jti, consumed: _consumed, ...rest } = payload;
      const stored = secret ? rest : payload;
      const expiresAt = expiresIn ? new Date(now().getTime() + expiresIn * 1000) : null;
      await sql`
        insert into issuer_state
          (model, id, payload, grant_id, account_id, user_code, uid, expires_at)
        values (${model}, ${await key(id)}, ${sql.json(stored as never)},
          ${GRANTED.has(model) ? payload.grantId ?? null : null}, ${payload.accountId ?? null},
          ${payload.userCode ?? null}, ${model === "Session" ? payload.uid ?? null : null},
          ${expiresAt})
        on conflict (model, id) do update set payload = excluded.payload,
          grant_id = excluded.grant_id, account_id = excluded.account_id,
          user_code = excluded.user_code, uid = excluded.uid, expires_at = excluded.expires_at`;
    },
    async find(id) {
      const [row] = await sql<Row[]>`
        select ${columns} from issuer_state where ${alive()} and id = ${await key(id)}`;
      return revive(row, secret ? id : undefined);
    },
    async findByUid(uid) {
      const [row] = await sql<Row[]>`
        select ${columns} from issuer_state where ${alive()} and uid = ${uid}`;
      return revive(row);
    },
    async findByUserCode(userCode) {
      const [row] = await sql<Row[]>`
        select ${columns} from issuer_state where ${alive()} and user_code = ${userCode}`;
      return revive(row);
    },
    async consume(id) {
      const used = await sql`
        update issuer_state set consumed_at = ${now()}
        where model = ${model} and id = ${await key(id)} and consumed_at is null returning 1`;
      if (used.length === 0) throw deps.alreadyUsed();
    },
    async destroy(id) {
      await sql`delete from issuer_state where model = ${model} and id = ${await key(id)}`;
    },
    async revokeByGrantId(grantId) {
      await sql`delete from issuer_state where grant_id = ${grantId}`;
    },
  };
}

/**
 * Ends every sign-in of an account: sessions, grants, codes and refresh tokens. Access tokens that
 * were issued are accepted until they expire, unless `denyUser` ends them too.
 */
export async function endSignIns(sql: Queryable, accountId: string): Promise<void> {
  await sql`delete from issuer_state where account_id = ${accountId}`;
}

/**
 * Ends the browser's session that `refreshToken` was issued in, with its grant. Other browsers and
 * programs of the account stay signed in.
 */
export async function endSessionOf(sql: Sql, refreshToken: string): Promise<void> {
  await sql`
    with issued as (
      select grant_id, payload ->> 'sessionUid' as session from issuer_state
      where model = 'RefreshToken' and id = ${await sha256Hex(refreshToken)})
    delete from issuer_state using issued
    where issuer_state.grant_id = issued.grant_id
      or (model = 'Grant' and id = issued.grant_id)
      or (model = 'Session' and uid = issued.session)`;
}

/** Deletes what has expired: states and links. */
export async function sweep(sql: Sql, now: Date): Promise<void> {
  await sql`delete from issuer_state where expires_at <= ${now}`;
  await sql`delete from issuer_links where expires_at <= ${now}`;
}
