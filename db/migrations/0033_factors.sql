-- Two-step sign-in: passkeys, authenticator apps and recovery codes; and when a session last confirmed who uses it.

alter table session
  -- When the password or a passkey was last checked.
  add checked_at timestamptz(3) not null default now(),
  add second_factor boolean not null default false;
update session set checked_at = created_at;

create table factor (
  id uuid primary key default uuidv7(),
  user_id uuid not null references app_user on delete cascade,
  kind text not null check (kind in ('passkey', 'totp')),
  name text not null check (char_length(name) between 1 and 60),
  created_at timestamptz(3) not null default now(),
  last_used_at timestamptz(3),
  -- Of an app: its secret in base32, and the 30 seconds of the last code used.
  secret text,
  last_step bigint,
  -- Of a passkey.
  credential_id text collate "C" unique,
  public_key bytea,
  sign_count bigint,
  transports text[] not null default '{}',
  check (kind <> 'totp' or (secret is not null and last_step is not null)),
  check (kind <> 'passkey' or (credential_id is not null and public_key is not null and sign_count is not null))
);
create index factor_by_user on factor (user_id);

-- A used code is deleted. 120 random bits need no slow hash.
create table recovery_code (
  code_hash bytea primary key,
  user_id uuid not null references app_user on delete cascade
);
create index recovery_code_by_user on recovery_code (user_id);

-- Between two calls that belong together: the two steps of signing in, and the challenge or secret that a new factor or a
-- passkey must answer. Only the SHA-256 of the ticket is kept.
create table factor_ticket (
  token_hash bytea primary key,
  user_id uuid not null references app_user on delete cascade,
  purpose text not null check (purpose in ('sign-in', 'reauth', 'add-passkey', 'add-totp')),
  challenge text,
  secret text,
  -- SHA-256 of the password hash that was checked: a new password ends the sign-in.
  verified_digest bytea,
  attempts integer not null default 0,
  expires_at timestamptz(3) not null
);
create index factor_ticket_by_user on factor_ticket (user_id);
create index factor_ticket_by_expiry on factor_ticket (expires_at);
