-- Photos that a yard adds to its answer to a return or claim, or to what it says of a dispute (docs/decisions/0133). The previous
-- version takes those of a dispute for photos that were never sent, and forgets them a day later.
alter table order_photo
  add column side text not null default 'buyer' check (side in ('buyer', 'seller')),
  add column dispute_id uuid references order_dispute on delete cascade,
  add constraint order_photo_of_one check (return_id is null or dispute_id is null);
create index order_photo_unsent on order_photo (created_at) where return_id is null and dispute_id is null;
create index order_photo_by_dispute on order_photo (dispute_id) where dispute_id is not null;
