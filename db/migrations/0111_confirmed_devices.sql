-- Browsers that opened a link we mailed to an address: for 30 days they need no other link for it. Both sides are hashes.
create table confirmed_device (
  token_hash bytea primary key,
  email_hash bytea not null,
  confirmed_at timestamptz(3) not null
);
create index confirmed_device_email on confirmed_device (email_hash, confirmed_at);
create index confirmed_device_confirmed_at on confirmed_device (confirmed_at);
