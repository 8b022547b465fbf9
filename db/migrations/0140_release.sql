-- The yard's share goes to it, and comes back after a refund (docs/decisions/0117).

alter table order_step drop constraint order_step_kind_check;
alter table order_step add constraint order_step_kind_check
  check (kind in ('open-session', 'expire-session', 'capture', 'cancel', 'refund', 'read', 'transfer', 'reverse'));
alter table order_step
  -- The last try, written before it: what was not sent lately and is not there can be called off.
  add column sent_at timestamptz(3),
  -- How often the provider refused it.
  add column tries smallint not null default 0,
  -- Not before.
  add column try_at timestamptz(3);
create index order_step_moves on order_step (try_at) where state = 'wanted' and kind in ('transfer', 'reverse');
create unique index order_step_one_transfer on order_step (order_id) where state = 'wanted' and kind = 'transfer';

-- What was transferred is a row below; an entry of it could not be in a step that adds up to zero.
alter table ledger_entry drop constraint ledger_entry_account_check;
alter table ledger_entry add constraint ledger_entry_account_check
  check (account in ('provider', 'held', 'core', 'tax', 'royalty', 'fees', 'refunds-due', 'dispute', 'seller-debt'));
create index ledger_entry_debts on ledger_entry (order_id) include (amount_cents) where account = 'seller-debt';

create table order_transfer (
  -- The provider's.
  id text collate "C" primary key,
  order_id uuid not null references part_order,
  seller_id uuid not null references seller,
  -- The yard's account then: it may get another one.
  account_id text collate "C" not null,
  cents bigint not null check (cents > 0),
  reversed_cents bigint not null default 0 check (reversed_cents between 0 and cents),
  -- What it is called in the yard's own account and its payouts.
  payment_id text collate "C" not null unique,
  made_at timestamptz(3) not null
);
create index order_transfer_by_order on order_transfer (order_id);
create index order_transfer_by_seller on order_transfer (seller_id, made_at desc);

alter table part_order
  -- Its `held` changed and has not been looked at since: the sweep looks at these alone.
  add column to_release boolean not null default false;
update part_order set to_release = true where captured_cents > 0;
-- Delivered before money was released: as a first sale.
update part_order set release_at = delivered_at + interval '14 days' where delivered_at is not null and captured_cents > 0;
create index part_order_to_release on part_order (release_at) where to_release;
create index part_order_to_close on part_order (delivered_at) where state = 'delivered';
