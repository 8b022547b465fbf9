-- outside a transaction
-- Buyers' price orders include shipping, and what is quoted comes last in both. The columns besides the seller are those of
-- the expressions: without them the planner would read every row.
drop index concurrently if exists listing_for_sale_by_total;
create index concurrently listing_for_sale_by_total
  on listing ((shipping_kind = 'quote'), (price_cents + coalesce(shipping_cents, 0)), id)
  include (seller_id, price_cents, shipping_kind, shipping_cents)
  where status = 'ACTIVE' and ended_at is null and deleted_at is null;
drop index concurrently if exists listing_for_sale_by_total_down;
create index concurrently listing_for_sale_by_total_down
  on listing ((shipping_kind = 'quote'), (price_cents + coalesce(shipping_cents, 0)) desc, id desc)
  include (seller_id, price_cents, shipping_kind, shipping_cents)
  where status = 'ACTIVE' and ended_at is null and deleted_at is null;
