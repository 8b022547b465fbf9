import type { Pool } from 'pg'

/*
 * Everything the simulator knows, in a schema of its own beside the marketplace's: it never reads that, and the
 * marketplace never reads this. It is made at the start, and nothing is lost with the schema but test payments.
 */
const TABLES = `
  create schema if not exists stripe_simulator;

  -- Objects as the API answers them. json, not jsonb: it keeps Stripe's order of the fields.
  create table if not exists stripe_simulator.object (
    id text collate "C" primary key,
    kind text not null,
    -- Whose it is: a customer, or a connected account.
    owner text collate "C",
    place bigint generated always as identity,
    body json not null
  );
  create index if not exists object_by_kind on stripe_simulator.object (kind, place);
  create index if not exists object_by_owner on stripe_simulator.object (owner, kind, place);

  -- Addresses of hosted pages. Whoever has the token may use the page.
  create table if not exists stripe_simulator.page (
    token text collate "C" primary key,
    kind text not null,
    subject text collate "C" not null,
    return_url text,
    refresh_url text,
    expires_at timestamptz not null,
    used boolean not null default false
  );

  -- Answers to requests that came with an Idempotency-Key.
  create table if not exists stripe_simulator.answer (
    idempotency_key text collate "C" primary key,
    fingerprint text not null,
    request_id text not null,
    status integer not null,
    body text not null,
    made_at timestamptz not null
  );

  -- Webhooks to send, in this order.
  create table if not exists stripe_simulator.delivery (
    id bigint generated always as identity primary key,
    event_id text collate "C" not null references stripe_simulator.object,
    due_at timestamptz not null,
    held boolean not null,
    attempts integer not null default 0,
    done_at timestamptz,
    outcome text
  );
  create index if not exists delivery_open on stripe_simulator.delivery (due_at, id) where done_at is null;
`

// Any number that nobody else locks: two simulators that start at once must not make the tables twice.
const MAKING = 7_305_112

/** Makes the tables where they are missing. */
export async function makeSchema(pool: Pool): Promise<void> {
  const client = await pool.connect()
  try {
    await client.query('begin')
    await client.query('select pg_advisory_xact_lock($1)', [MAKING])
    await client.query(TABLES)
    await client.query('commit')
  } finally {
    // Ends a transaction that failed as well: the connection is not used again.
    client.release(true)
  }
}
