-- Whether a bought part fitted the buyer's vehicle. The VIN stays with the order (docs/decisions/0120).
create table fit_outcome (
  order_line_id uuid primary key references order_line on delete cascade,
  number_key text collate "C" not null,
  -- Names of our lookups; null if the VIN does not say.
  year smallint,
  make text,
  model text,
  came_back boolean not null
);
create index fit_outcome_by_number on fit_outcome (number_key) where model is not null;
create trigger fit_outcome_is_public after insert or update on fit_outcome
  for each row execute function note_public_change();

-- The journal of a month.
create index ledger_entry_by_time on ledger_entry (at, id);
