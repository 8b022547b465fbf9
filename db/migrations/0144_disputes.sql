-- Disputes at the buyer's bank, and fraud warnings that somebody decides in time (docs/decisions/0119).

create table order_dispute (
  id uuid primary key default uuidv7(),
  order_id uuid not null references part_order on delete cascade,
  provider_id text collate "C" not null unique,
  -- In the provider's word: "product_not_received".
  reason text not null,
  amount_cents bigint not null check (amount_cents >= 0),
  state text not null check (state in ('needs-response', 'under-review', 'won', 'lost')),
  -- The bank decides without us after that.
  due_at timestamptz(3),
  -- What was set aside of the order for it, by what the buyer had paid for.
  part_cents bigint not null check (part_cents >= 0),
  shipping_cents bigint not null check (shipping_cents >= 0),
  core_cents bigint not null check (core_cents >= 0),
  tax_cents bigint not null check (tax_cents >= 0),
  -- What the bank has now: taken and not given back.
  taken_cents bigint not null default 0,
  fee_cents bigint not null default 0,
  -- The yard missed its promise, or cannot prove that it shipped: the fee is its debt.
  fee_is_yards boolean not null,
  answer text check (char_length(answer) <= 4000),
  answered_at timestamptz(3),
  -- As an administrator saved it; null: as the order says.
  evidence jsonb,
  submitted_at timestamptz(3),
  reminded_at timestamptz(3),
  created_at timestamptz(3) not null,
  closed_at timestamptz(3)
);
create index order_dispute_by_order on order_dispute (order_id);
create index order_dispute_waiting on order_dispute (due_at) where state = 'needs-response';

alter table order_step drop constraint order_step_kind_check;
alter table order_step add constraint order_step_kind_check
  check (kind in ('open-session', 'expire-session', 'capture', 'cancel', 'refund', 'read', 'transfer', 'reverse',
    'submit-evidence'));

-- After a fraud warning: until when an administrator decides, before the order is refunded by itself.
alter table part_order add column decide_by timestamptz(3);
create index part_order_undecided on part_order (decide_by) where decide_by is not null;
