-- Plans and payouts. What the provider says of a seller stands on the seller; here is how it comes to stand there.

alter table seller
  -- What was chosen on the way in, so that whoever comes back later goes on with it.
  add chosen_plan text check (chosen_plan in ('FREE', 'PAID')),
  -- Pro by an administrator's word, without a subscription.
  add pro_granted_at timestamptz(3),
  -- Set while a subscription is cancelled but still paid for.
  add subscription_ends_at timestamptz(3),
  -- Reading the provider takes time, and two reads may come back in the other order. Each draws a number before it
  -- begins; what a read found is written only if no read that began later was written before.
  add provider_reads bigint not null default 0,
  add subscription_read bigint not null default 0,
  add connect_read bigint not null default 0;

-- Whoever is on Pro before there are subscriptions has it by somebody's word.
update seller set pro_granted_at = now() where tier = 'PAID';

-- One thing that a seller asked the provider to make. Its key goes along with the request, and again with every
-- repetition of it, so that a double click or a lost answer makes it once.
create table provider_request (
  id uuid primary key default uuidv7(),
  seller_id uuid not null references seller on delete cascade,
  kind text not null check (kind in ('customer', 'account', 'checkout')),
  idempotency_key uuid not null default gen_random_uuid(),
  -- Null until the provider has answered.
  provider_id text collate "C" unique,
  url text,
  state text not null default 'open' check (state in ('open', 'done', 'void')),
  created_at timestamptz(3) not null default now(),
  -- Of a checkout: when the provider closes it.
  expires_at timestamptz(3)
);
create unique index provider_request_open on provider_request (seller_id, kind) where state = 'open';

-- Deliveries of the provider, once each. The event itself is only a hint: what it is about is read again.
create table stripe_event (
  id text collate "C" primary key,
  type text not null,
  -- The customer or the payout account it is about; null where neither is ours.
  subject text collate "C",
  received_at timestamptz(3) not null default now(),
  handled_at timestamptz(3)
);
create index stripe_event_by_age on stripe_event (received_at);
