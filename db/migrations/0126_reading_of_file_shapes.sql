-- The sheet, delimiter or header row that a person chose for files that look like this when nobody chooses anything.
alter table file_shape add column reading jsonb;
