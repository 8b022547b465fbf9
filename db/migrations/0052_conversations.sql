-- A buyer's message and everything after it are one conversation: `lead` is the conversation, `lead_message` what was said.

create table lead_message (
  id uuid primary key default uuidv7(),
  lead_id uuid not null references lead on delete cascade,
  sender text not null check (sender in ('buyer', 'seller')),
  kind text not null default 'text' check (kind in ('text', 'offer', 'accept', 'decline', 'sold')),
  -- Which of the seller's people wrote it, and the name they had.
  author_user_id uuid references app_user on delete set null,
  author_name text,
  body text not null default '' check (char_length(body) <= 5000),
  price_cents bigint check (price_cents > 0),
  currency character(3),
  -- Of an offer, until when it can be accepted; of an acceptance, until when the part is held.
  expires_at timestamptz(3),
  -- Null for what waits until the buyer's address is confirmed.
  mailed_at timestamptz(3),
  created_at timestamptz(3) not null default now(),
  check (kind <> 'text' or body <> ''),
  check ((kind in ('offer', 'accept')) = (price_cents is not null and currency is not null and expires_at is not null))
);
insert into lead_message (id, lead_id, sender, body, mailed_at, created_at)
select id, id, 'buyer', message, created_at, created_at from lead;
insert into lead_message (id, lead_id, sender, author_user_id, author_name, body, mailed_at, created_at)
select id, lead_id, 'seller', author_user_id, author_name, message, mailed_at, created_at from lead_answer;
create index lead_message_by_lead on lead_message (lead_id, id);
-- For whom a part is held, among all who asked about it.
create index lead_message_accepted on lead_message (lead_id, expires_at) where kind = 'accept';
drop table lead_answer;

-- Links of emails to the buyer, which open the conversation without an account. They work while it is alive.
create table lead_link (
  token_hash bytea primary key,
  lead_id uuid not null references lead on delete cascade,
  created_at timestamptz(3) not null default now()
);
create index lead_link_by_lead on lead_link (lead_id);
create index lead_link_by_age on lead_link (created_at);
insert into lead_link (token_hash, lead_id, created_at)
select link_hash, id, link_expires_at - interval '14 days' from lead where link_hash is not null;

alter table lead
  drop column message,
  drop column link_hash,
  drop column link_expires_at,
  -- When the buyer wrote last: the order of the inbox.
  add column wrote_at timestamptz(3),
  -- Since when the buyer gets no emails about it.
  add column stopped_at timestamptz(3),
  -- In every email to the buyer: ends them, and can do nothing else.
  add column unsubscribe_key uuid not null default gen_random_uuid(),
  add constraint lead_unsubscribe_key unique (unsubscribe_key);
update lead set wrote_at = created_at;
alter table lead
  alter column wrote_at set default now(),
  alter column wrote_at set not null;
drop index lead_by_seller;
drop index lead_by_seller_and_state;
create index lead_by_seller on lead (seller_id, wrote_at desc, id desc);
create index lead_by_seller_and_state on lead (seller_id, state, wrote_at desc, id desc);

alter table seller
  add column takes_offers boolean not null default true,
  -- Null until the seller changes those that we suggest.
  add column quick_replies text[];
drop trigger seller_is_public on seller;
create trigger seller_is_public
  after update of slug, name, tier, show_phone_publicly, preferred_contact, takes_offers on seller
  for each statement execute function note_public_change();
