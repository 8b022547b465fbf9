-- What is known of part numbers is shown on pages of parts of other part types and yards, which are kept for as long as it is
-- the same (docs/decisions/0131): a section of the data of its own.
create function note_changed_numbers() returns trigger language plpgsql as $$
begin
  insert into part_type_change
  select 'eeeeeeee-eeee-eeee-eeee-eeeeeeeeeeee', 1 where exists (select from changed);
  return null;
end $$;

-- The listings that state them are counted as changes already.
create trigger number_is_stated after insert on interchange_claim
  referencing new table as changed for each statement execute function note_changed_numbers();
create trigger number_is_restated after update on interchange_claim
  referencing new table as changed for each statement execute function note_changed_numbers();
create trigger number_is_not_stated after delete on interchange_claim
  referencing old table as changed for each statement execute function note_changed_numbers();

-- So far each part that a buyer kept made every page be read again.
create function note_fit_outcome() returns trigger language plpgsql as $$
begin
  insert into listing_tally_change values ('eeeeeeee-eeee-eeee-eeee-eeeeeeeeeeee', 0, 0, 0, 1);
  insert into part_type_change values ('eeeeeeee-eeee-eeee-eeee-eeeeeeeeeeee', 1);
  return null;
end $$;
drop trigger fit_outcome_is_public on fit_outcome;
create trigger fit_outcome_is_public after insert or update on fit_outcome
  for each row execute function note_fit_outcome();
