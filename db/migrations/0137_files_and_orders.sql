-- What a file says about parts that buyers have ordered is a question to the seller; nothing ends.
create table promotion_ordered_part (
  promotion_id uuid not null references promotion on delete cascade,
  listing_id uuid not null references listing on delete cascade,
  -- `missing` from the file or sold out in it; `fewer` pieces than are ordered; `still-listed` long after it was sold here.
  why text not null check (why in ('missing', 'fewer', 'still-listed')),
  primary key (promotion_id, listing_id)
);

alter table promotion_action drop constraint promotion_action_kept_check;
alter table promotion_action add constraint promotion_action_kept_check
  check (kept in ('edited', 'ended', 'imported', 'deleted', 'ordered')) not valid;
alter table promotion_action validate constraint promotion_action_kept_check;
