-- When a yard that sells online was told that its payout account does not let it any more; null while it does.
alter table seller add column stopped_told_at timestamptz;

-- Looked for every two seconds, and mostly empty.
create index seller_selling_news on seller (id)
  where sells_online and (stopped_told_at is null) = (not (connect_status = 'VERIFIED' and can_transfer));
