-- Orders of several parts of one yard (docs/decisions/0122).

alter table seller
  -- What shipping costs if several parts go together.
  add column combined_shipping text not null default 'each' check (combined_shipping in ('each', 'half', 'dearest'));

alter table part_order
  -- Copied when it was placed.
  add column combined_shipping text not null default 'each' check (combined_shipping in ('each', 'half', 'dearest')),
  -- Chosen before paying; null for a single part.
  add column if_missing text check (if_missing in ('send', 'cancel'));

alter table order_line
  -- Of this part alone; null if the yard names a price.
  add column shipping_cents bigint check (shipping_cents >= 0);

alter table order_refund
  -- Which parts of its cents are for which lines: [{line, kind, cents}]. Empty for the order as a whole.
  add column of_lines jsonb not null default '[]';
