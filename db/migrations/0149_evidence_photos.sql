-- Photos as evidence for a bank (docs/decisions/0129).

alter table order_dispute
  -- As an administrator chose them: photos of returns, and pictures of the listing. Null: as the order says.
  add column photo_ids uuid[];
