-- What comes back after the sale: returns, claims and core charges (docs/decisions/0118).

create table order_return (
  id uuid primary key default uuidv7(),
  order_id uuid not null references part_order on delete cascade,
  kind text not null check (kind in ('return', 'claim', 'core')),
  reason text not null,
  state text not null check (state in ('asked', 'declined', 'deciding', 'approved', 'sent', 'refunded', 'refused',
    'withdrawn', 'lapsed')),
  -- The buyer's words.
  note text not null default '',
  line_ids uuid[] not null,
  -- What goes back if it is approved, by the terms as bought; the fee is taken off the part's price.
  part_cents bigint not null check (part_cents >= 0),
  fee_cents bigint not null check (fee_cents between 0 and part_cents),
  shipping_cents bigint not null check (shipping_cents >= 0),
  core_cents bigint not null check (core_cents >= 0),
  -- Who pays for sending it back.
  way_back text not null check (way_back in ('buyer', 'yard')),
  carrier text,
  tracking text,
  sent_at timestamptz(3),
  -- How the yard found it, once it is there.
  condition text check (condition in ('good', 'damaged', 'incomplete', 'other-part')),
  -- The yard's words, and the administrator's.
  answer text,
  decision text,
  -- Of a core: whether the buyer was reminded.
  reminded boolean not null default false,
  -- When it goes on by itself; null once it has ended.
  act_at timestamptz(3),
  created_at timestamptz(3) not null,
  ended_at timestamptz(3),
  check ((act_at is null) = (ended_at is not null))
);
create index order_return_by_order on order_return (order_id, id);
create index order_return_due on order_return (act_at) where act_at is not null;
create index order_return_deciding on order_return (order_id) where state = 'deciding';

-- Photos of what is wrong with a part: for its buyer, the yard and administrators alone.
create table order_photo (
  id uuid primary key default uuidv7(),
  order_id uuid not null references part_order on delete cascade,
  -- Null until it is sent with a return; forgotten a day later.
  return_id uuid references order_return on delete cascade,
  sha256 text collate "C" not null,
  created_at timestamptz(3) not null
);
create index order_photo_by_order on order_photo (order_id, id);
create index order_photo_by_content on order_photo (sha256);
create index order_photo_waiting on order_photo (created_at) where return_id is null;
