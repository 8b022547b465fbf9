-- Buying a part (docs/decisions/0110). Tables have room for what comes after the sale: returns, disputes, transfers.

alter table seller
  add column sells_online boolean not null default false,
  add column sale_mode text not null default 'confirm' check (sale_mode in ('confirm', 'instant')),
  add column days_to_ship smallint not null default 2 check (days_to_ship between 1 and 30),
  -- When the seller accepted the royalty, and which.
  add column selling_accepted_at timestamptz(3),
  add column accepted_royalty_percent numeric(5, 2),
  -- Overrides the plan's royalty.
  add column royalty_override numeric(5, 2) check (royalty_override between 0 and 100),
  add column can_transfer boolean not null default false;

create sequence part_order_number start 100001;

create table part_order (
  id uuid primary key default uuidv7(),
  number text collate "C" not null unique default ('PH-' || nextval('part_order_number')::text),
  seller_id uuid not null references seller,
  -- Whose account it was bought with, or joined.
  buyer_user_id uuid references app_user on delete set null,
  -- The conversation whose accepted offer it pays.
  lead_id uuid references lead on delete set null,
  state text not null check (state in ('quoting', 'pending', 'authorized', 'capturing', 'confirmed', 'ready', 'shipped',
    'delivered', 'closed', 'expired', 'canceled', 'not-found', 'refunded')),
  mode text not null check (mode in ('confirm', 'instant')),
  currency char(3) not null default 'USD',
  -- The buyer; hidden from the yard 90 days after closing, and erased with the account where the law allows.
  email text not null check (char_length(email) <= 254),
  name text not null check (char_length(name) between 1 and 120),
  phone text check (char_length(phone) <= 40),
  delivery text not null check (delivery in ('ship', 'pickup')),
  line1 text, line2 text, city text, region text, zip text,
  vin text collate "C",
  vin_confirmed boolean not null default false,
  -- Copied when it was placed. Null: the yard has not named the shipping price.
  shipping_cents bigint check (shipping_cents >= 0),
  tax_cents bigint not null default 0 check (tax_cents >= 0),
  royalty_percent numeric(5, 2) not null,
  royalty_floor_cents integer not null,
  royalty_cents bigint not null default 0,
  days_to_ship smallint not null,
  time_zone text not null,
  -- Money as the provider reported it.
  captured_cents bigint not null default 0 check (captured_cents >= 0),
  refunded_cents bigint not null default 0 check (refunded_cents between 0 and captured_cents),
  fee_cents bigint,
  session_id text collate "C" unique,
  session_url text,
  payment_id text collate "C" unique,
  charge_id text collate "C" unique,
  capture_before timestamptz(3),
  risk text,
  -- When the present state ends by itself, and the next instant at which there is something to do.
  expires_at timestamptz(3),
  act_at timestamptz(3),
  confirm_by timestamptz(3),
  ship_by timestamptz(3),
  -- The buyer agreed to wait until then.
  delayed_until timestamptz(3),
  delay_told_at timestamptz(3),
  carrier text,
  tracking text,
  shipped_at timestamptz(3),
  ready_at timestamptz(3),
  delivered_at timestamptz(3),
  asked_arrived smallint not null default 0,
  pickup_code text,
  pickup_tries smallint not null default 0,
  cancel_asked_at timestamptz(3),
  cancel_reason text,
  -- An administrator, or a review of the provider, stops it.
  held_at timestamptz(3),
  held_reason text,
  disputed boolean not null default false,
  attention text,
  -- What to do with the part of a refunded order: asked, sold again or scrapped.
  restock text check (restock in ('asked', 'sell', 'scrap')),
  client_key bytea unique,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  check (delivery = 'pickup' or (line1 is not null and city is not null and region is not null and zip is not null))
);
create index part_order_by_seller on part_order (seller_id, id desc);
create index part_order_by_buyer on part_order (buyer_user_id, id desc) where buyer_user_id is not null;
create index part_order_by_email on part_order (lower(email), id desc);
create index part_order_due on part_order (act_at) where act_at is not null;
create index part_order_attention on part_order (id desc) where attention is not null;

create table order_line (
  id uuid primary key default uuidv7(),
  order_id uuid not null references part_order on delete cascade,
  listing_id uuid not null references listing,
  state text not null default 'wanted' check (state in ('wanted', 'found', 'not-found', 'returned')),
  quantity integer not null check (quantity > 0),
  -- Of one piece.
  price_cents bigint not null check (price_cents >= 0),
  core_cents bigint not null default 0 check (core_cents >= 0),
  -- Title, grade, numbers, donor VIN, terms, restricted sentence, what fits: as bought.
  facts jsonb not null
);
create index order_line_by_order on order_line (order_id);
create index order_line_by_listing on order_line (listing_id);

-- What happened, for everybody who may see the order.
create table order_event (
  id uuid primary key default uuidv7(),
  order_id uuid not null references part_order on delete cascade,
  at timestamptz(3) not null,
  kind text not null,
  side text not null check (side in ('buyer', 'seller', 'admin', 'provider', 'clock')),
  actor_user_id uuid references app_user on delete set null,
  state text not null,
  detail jsonb not null default '{}'
);
create index order_event_by_order on order_event (order_id, id);

-- A part that only one buyer can have. Open until it is sold or let go; of several pieces, so many.
create table part_hold (
  id uuid primary key default uuidv7(),
  listing_id uuid not null references listing,
  seller_id uuid not null references seller,
  order_id uuid references part_order on delete cascade,
  lead_id uuid references lead on delete cascade,
  quantity integer not null check (quantity > 0),
  -- `cart`: unpaid; `pending`: paid for but not confirmed, or promised by an offer.
  kind text not null check (kind in ('cart', 'pending')),
  -- Who took it, for the caps: hashes of the mailbox, the browser and the network.
  mailbox bytea,
  device bytea,
  network bytea,
  expires_at timestamptz(3),
  created_at timestamptz(3) not null,
  ended_at timestamptz(3),
  -- `lapsed`: not paid in time.
  ending text check (ending in ('sold', 'lapsed', 'released')),
  check (num_nonnulls(order_id, lead_id) = 1),
  check ((ended_at is null) = (ending is null))
);
create index part_hold_open on part_hold (listing_id) where ended_at is null;
create unique index part_hold_of_order on part_hold (order_id, listing_id) where ended_at is null;
create unique index part_hold_of_lead on part_hold (lead_id) where ended_at is null and lead_id is not null;
create index part_hold_by_seller on part_hold (seller_id) where ended_at is null;
create index part_hold_lapsed on part_hold (listing_id, ended_at) where ending = 'lapsed';
create index part_hold_by_mailbox on part_hold (mailbox) where ended_at is null;
create index part_hold_by_device on part_hold (device) where ended_at is null;
create index part_hold_by_network on part_hold (network) where ended_at is null;

-- Buyers who want to know if a held part comes back.
create table hold_watch (
  listing_id uuid not null references listing on delete cascade,
  email text not null,
  created_at timestamptz(3) not null default now(),
  primary key (listing_id, email)
);

-- What is to be done at the provider: written with the state that asks for it, done by a job with this id as key.
create table order_step (
  id uuid primary key default uuidv7(),
  order_id uuid not null references part_order on delete cascade,
  kind text not null check (kind in ('open-session', 'expire-session', 'capture', 'cancel', 'refund', 'read')),
  amount_cents bigint,
  refund_id uuid,
  -- `void`: no longer wanted, or replaced by another one.
  state text not null default 'wanted' check (state in ('wanted', 'done', 'failed', 'void')),
  provider_id text collate "C",
  -- Sent with the first try and every other, so that the key never comes with other content.
  request jsonb not null default '{}',
  problem text,
  created_at timestamptz(3) not null default now(),
  done_at timestamptz(3)
);
create index order_step_wanted on order_step (order_id, id) where state = 'wanted';
create unique index order_step_once on order_step (order_id, kind) where kind in ('capture', 'cancel') and state <> 'void';

create table order_refund (
  id uuid primary key default uuidv7(),
  order_id uuid not null references part_order on delete cascade,
  -- By what it gives back.
  part_cents bigint not null default 0 check (part_cents >= 0),
  shipping_cents bigint not null default 0 check (shipping_cents >= 0),
  core_cents bigint not null default 0 check (core_cents >= 0),
  tax_cents bigint not null default 0 check (tax_cents >= 0),
  royalty_cents bigint not null default 0 check (royalty_cents >= 0),
  state text not null default 'requested' check (state in ('requested', 'pending', 'succeeded', 'failed')),
  reason text not null,
  side text not null,
  actor_user_id uuid references app_user on delete set null,
  -- The same request sent twice is one refund.
  client_key bytea not null,
  provider_id text collate "C" unique,
  problem text,
  created_at timestamptz(3) not null default now(),
  settled_at timestamptz(3),
  unique (order_id, client_key)
);

create table ledger_entry (
  id uuid primary key default uuidv7(),
  order_id uuid references part_order,
  account text not null check (account in ('provider', 'held', 'core', 'tax', 'royalty', 'fees', 'refunds-due', 'dispute',
    'seller-debt', 'seller-paid')),
  amount_cents bigint not null check (amount_cents <> 0),
  at timestamptz(3) not null,
  -- The step that wrote it, and the provider's object; once.
  why text not null,
  provider_id text collate "C" not null,
  unique (provider_id, why, account)
);
create index ledger_entry_by_order on ledger_entry (order_id, id);

create function refuse_rewriting_ledger() returns trigger language plpgsql as $$
begin
  raise exception 'entries of the ledger are never changed; write a new one' using errcode = 'insufficient_privilege';
end $$;
create trigger ledger_entry_append_only before update or delete on ledger_entry
  for each row execute function refuse_rewriting_ledger();
create trigger ledger_entry_kept before truncate on ledger_entry
  for each statement execute function refuse_rewriting_ledger();

-- Links of mails to a buyer.
create table order_link (
  token_hash bytea primary key,
  order_id uuid not null references part_order on delete cascade,
  created_at timestamptz(3) not null default now()
);
create index order_link_by_order on order_link (order_id);

-- Mails about an order, to see whether they arrived.
alter table mail add column order_id uuid references part_order on delete set null;

-- A part in an order is ended, deleted or restocked by the order alone, whatever version a process has. The order says so
-- for its transaction.
create function refuse_change_of_ordered_part() returns trigger language plpgsql as $$
declare
  held integer;
begin
  if coalesce(current_setting('partharbor.ordering', true), '') <> '' then return new; end if;
  if old.ended_at is not null and new.ended_at is null and old.ended_reason = 'sold-here' and exists (
    select from order_line l join part_order o on o.id = l.order_id
    where l.listing_id = new.id and o.state in ('confirmed', 'ready', 'shipped')
  ) then
    raise exception 'listing % is in an order', new.id using errcode = 'PH001';
  end if;
  select coalesce(sum(quantity), 0) into held from part_hold where listing_id = new.id and ended_at is null;
  if held = 0 then return new; end if;
  if (new.ended_at is not null and old.ended_at is null)
     or (new.deleted_at is not null and old.deleted_at is null)
     or (new.status <> 'ACTIVE' and old.status = 'ACTIVE')
     or (new.quantity < old.quantity and new.quantity < held) then
    raise exception 'listing % is in an order', new.id using errcode = 'PH001';
  end if;
  return new;
end $$;
create trigger listing_in_order before update of ended_at, deleted_at, status, quantity on listing
  for each row when (old.ended_at is distinct from new.ended_at or old.deleted_at is distinct from new.deleted_at
    or old.status <> new.status or new.quantity < old.quantity)
  execute function refuse_change_of_ordered_part();

-- Lists and the part's page show whether a part is held: a hold is a change of its part type.
create function note_hold(held uuid) returns void language sql as $$
  insert into listing_tally_change select seller_id, 0, 0, 0, 1 from listing where id = held;
  insert into part_type_change
  select coalesce(category_id, '00000000-0000-0000-0000-000000000000'), 1 from listing where id = held;
$$;
