-- Sessions that a person can tell apart and end, and forgotten passwords.

alter table session
  add id uuid not null default uuidv7(),
  add user_agent text check (char_length(user_agent) <= 400),
  add ip inet;
create unique index session_by_id on session (id);

-- Of the link only the SHA-256 of its token is kept; one use, thirty minutes.
create table password_reset (
  token_hash bytea primary key,
  user_id uuid not null references app_user on delete cascade,
  created_at timestamptz(3) not null default now(),
  expires_at timestamptz(3) not null,
  used_at timestamptz(3)
);
create index password_reset_by_user on password_reset (user_id, created_at);
create index password_reset_by_expiry on password_reset (expires_at);
