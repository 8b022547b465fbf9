-- Which part a row is within a stock number, and which values of a listing are the file's and which a person's.

alter table listing_source
  -- What the row said as it was last imported: four bytes each of the hash of its part number (zeros for none), its
  -- category word and its name. Null for a row without a stock number, and for one from before this was kept.
  add column row_digest bytea,
  -- The listing's version after that import. Later changes of a person are edits, which win over the file.
  add column listing_version integer,
  -- Columns whose value in the listing is not the row's: column → [value in the row, whether the other is a person's].
  add column said jsonb;

alter table promotion_action
  add column row_digest bytea,
  -- For the undo.
  add column prior_digest bytea,
  add column prior_version integer,
  add column prior_said jsonb,
  -- Edits that were kept where the file's value changed, too: column → [value in the listing, value in the row].
  add column kept_edits jsonb;
create index promotion_action_kept_edits on promotion_action (promotion_id, row_no) where kept_edits is not null;

-- Rows that differ in part number and name from the only listing left under their stock number: they wait until the seller
-- says whether the listing was corrected or the row is another part. With all that an action needs.
create table promotion_held_row (
  promotion_id uuid not null,
  row_no integer not null,
  listing_id uuid not null,
  source_key bytea not null,
  content_hash bytea not null,
  copies integer not null,
  part_key bytea,
  part_hash bytea,
  row_digest bytea,
  answer text check (answer in ('same', 'new')),
  answered_by uuid references app_user on delete set null,
  answered_at timestamptz(3),
  primary key (promotion_id, row_no)
);

-- Unfinished dry runs keep their rows in another form from here on.
delete from import where dry_run and state = 'receiving';
