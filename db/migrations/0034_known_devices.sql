-- Browsers that signed in to an account. While strangers guess its password, they and an emailed link still get in.
-- Only the SHA-256 of the cookie is stored.
create table known_device (
  token_hash bytea primary key,
  user_id uuid not null references app_user on delete cascade,
  -- Whether it ever came back: a program that signs in and forgets the cookie must not push out the owner's browsers.
  returned boolean not null default false,
  created_at timestamptz(3) not null default now(),
  expires_at timestamptz(3) not null
);
create index known_device_by_user on known_device (user_id, returned desc, created_at desc);
create index known_device_by_expiry on known_device (expires_at);

-- Of the link only the SHA-256 of its token is kept; one use, ten minutes.
create table sign_in_link (
  token_hash bytea primary key,
  user_id uuid not null references app_user on delete cascade,
  created_at timestamptz(3) not null default now(),
  expires_at timestamptz(3) not null,
  used_at timestamptz(3)
);
create index sign_in_link_by_user on sign_in_link (user_id, created_at);
create index sign_in_link_by_expiry on sign_in_link (expires_at);
