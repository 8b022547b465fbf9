-- Imports go live by themselves; an administrator can have a seller's imports reviewed all the same.
alter table seller add column review_imports boolean not null default false;

-- A new seller's first parts go live at once and the rest a little later. `live_through` is the last row that may go live
-- before the rest; null if nothing waits. `rest_at` is when the rest goes live, from the moment the first parts are live;
-- `rest_held_at` is when a buyer's report stopped that.
alter table promotion
  add column live_through integer,
  add column rest_at timestamptz(3),
  add column rest_held_at timestamptz(3);

-- What buyers report about a listing. A visitor's open report of a listing counts once: `visitor` is a hash of the account,
-- or of the address and browser.
create table listing_report (
  id uuid primary key default uuidv7(),
  listing_id uuid not null references listing on delete cascade,
  seller_id uuid not null references seller on delete cascade,
  -- The import that created the listing.
  import_id uuid references import on delete set null,
  reason text not null check (reason in ('wrong-part', 'wrong-details', 'not-for-sale', 'suspicious', 'offensive', 'other')),
  note text not null default '',
  email text,
  visitor bytea not null,
  created_at timestamptz(3) not null default now(),
  closed_at timestamptz(3),
  closed_by uuid references app_user on delete set null,
  outcome text check (outcome in ('hidden', 'restored', 'answered')),
  answer text not null default '',
  check ((closed_at is null) = (outcome is null))
);
create unique index listing_report_once on listing_report (listing_id, visitor) where closed_at is null;
create index listing_report_by_listing on listing_report (listing_id, id desc);
create index listing_report_open on listing_report (id) where closed_at is null;
create index listing_report_by_import on listing_report (import_id) where import_id is not null;
