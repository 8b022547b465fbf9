-- A row with quantity 0 in a file that adds to the stock ends the part it is. Null in the other rows, which only keep
-- their parts from ending.
alter table promotion_kept_row
  add column content_hash bytea,
  add column stock text,
  add column part_hash bytea,
  add column row_digest bytea;
