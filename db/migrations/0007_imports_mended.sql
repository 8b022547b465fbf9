-- What imports learned: to be withdrawn before they are live, to find a part again that got its stock number later, and to
-- count blank lines.

-- Its seller took it back while chunks of it were still missing; they are gone, and none comes after them.
alter table import drop constraint import_state_check;
alter table import
  add constraint import_state_check check (state in ('receiving', 'staged', 'checked', 'abandoned', 'withdrawn')),
  add column withdrawn_at timestamptz(3);

-- Lines of the chunk as a spreadsheet numbers them: blank ones count, the header does not. Rows of the chunks behind it are
-- numbered from there.
alter table import_chunk add column lines integer not null default 0;
update import_chunk set lines = rows;

-- The key that the row would have without its stock number: the part may be known by that one.
alter table promotion_kept_row add column part_key bytea;

-- Where the listing's source stood before, where the file gave the part its first stock number; null where it stays.
alter table promotion_action
  add column prior_key bytea,
  add column prior_ordinal integer,
  add check ((prior_key is null) = (prior_ordinal is null));
-- Whoever takes back the import that made such a part finds it where it stands now.
create index promotion_action_moved on promotion_action (prior_key, prior_ordinal) where prior_key is not null;
