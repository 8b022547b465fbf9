-- A held row of an export whose id column was emptied: it equals a part that its seller listed by hand.
alter table promotion_held_row add column repeats boolean not null default false;
