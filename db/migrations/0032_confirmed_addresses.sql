-- Accounts that exist count as confirmed. A new email address waits in `pending_email` until it is confirmed.
update app_user set email_verified_at = now() where email_verified_at is null;
alter table app_user
  add column pending_email citext check (char_length(pending_email) <= 254),
  -- In every summary: switches off one kind of email without a password, and can do nothing else.
  add column unsubscribe_key uuid not null default gen_random_uuid();
alter table app_user add constraint app_user_unsubscribe_key unique (unsubscribe_key);

-- One-time links to addresses of accounts: `confirm` proves that `email` is the account's, `restore` returns a former one.
create table address_link (
  token_hash bytea primary key,
  user_id uuid not null references app_user on delete cascade,
  purpose text not null check (purpose in ('confirm', 'restore')),
  email citext not null check (char_length(email) <= 254),
  created_at timestamptz(3) not null default now(),
  expires_at timestamptz(3) not null,
  used_at timestamptz(3)
);
create index address_link_by_user on address_link (user_id, created_at);
create index address_link_by_age on address_link (expires_at);

-- Answers are mailed once the buyer has confirmed the address of the message. Earlier messages count as confirmed.
alter table lead
  add column confirmed_at timestamptz(3),
  add column link_hash bytea,
  add column link_expires_at timestamptz(3);
update lead set confirmed_at = created_at where email is not null;
create unique index lead_by_link on lead (link_hash) where link_hash is not null;
create index lead_by_address on lead (seller_id, lower(email)) where email is not null;
alter table lead_answer add column mailed_at timestamptz(3);
update lead_answer set mailed_at = created_at;

-- The button of the HTML part leads to the first of our addresses in the text.
alter table mail
  add column button text,
  add column unsubscribe_url text;
