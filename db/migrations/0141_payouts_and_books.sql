-- What yards' banks got, and where our books and the provider's differ (docs/decisions/0117).

create table seller_payout (
  -- The provider's.
  id text collate "C" primary key,
  seller_id uuid not null references seller,
  cents bigint not null,
  -- A paid one can still fail.
  state text not null check (state in ('pending', 'in_transit', 'paid', 'failed', 'canceled')),
  problem text,
  arrives_at timestamptz(3) not null,
  made_at timestamptz(3) not null
);
create index seller_payout_by_seller on seller_payout (seller_id, made_at desc);

alter table order_transfer add column payout_id text collate "C" references seller_payout;
create index order_transfer_by_payout on order_transfer (payout_id) where payout_id is not null;
create index order_transfer_unpaid on order_transfer (seller_id) where payout_id is null;

-- Found by comparing, never mended by it. One that is no longer found has gone.
create table book_difference (
  id uuid primary key default uuidv7(),
  -- What differs of which object, so that finding it again is no second row.
  key text collate "C" not null unique,
  order_id uuid references part_order on delete cascade,
  text text not null,
  found_at timestamptz(3) not null,
  seen_at timestamptz(3) not null,
  gone_at timestamptz(3)
);
create index book_difference_open on book_difference (found_at) where gone_at is null;

-- When the books were compared last.
create table book_check (
  only_row boolean primary key default true check (only_row),
  at timestamptz(3) not null,
  compared integer not null
);
