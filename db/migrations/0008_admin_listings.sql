-- What admins do with listings: find hidden ones and those of a model by its words, and take bulk saves back.

------------------------------------------------------------------------------------------------ finding

-- Beside `live`, since admins see ended listings too, by their status.
alter table listing_search add column hidden boolean not null default false;
update listing_search s set hidden = true from listing l where l.id = s.listing_id and l.status = 'HIDDEN';
-- Few are hidden: they are walked newest first without looking at the others.
create index listing_search_hidden on listing_search (listing_id desc) where hidden;

-- The words of a model's name, each after a space: "F-150 XL" is found as f, 150, f150, xl and f150xl.
create function model_words(name text) returns text
  language sql immutable strict parallel safe
  return lower(' ' || regexp_replace(name, '[^[:alnum:]]+', ' ', 'g')
    || ' ' || regexp_replace(name, '[-/.&'']', '', 'g')
    || ' ' || regexp_replace(name, '[^[:alnum:]]+', '', 'g'));
alter table car_model add column words text generated always as (model_words(name)) stored;

------------------------------------------------------------------------------------------------ bulk saves

-- Bulk saves among all change sets, newest first.
create index change_set_bulk on change_set (id desc) where reason in ('bulk edit', 'undo bulk edit');

-- A bulk save that was taken back, and the change set that did it.
create table change_set_undo (
  change_set_id uuid primary key references change_set,
  undo_change_set_id uuid not null unique references change_set
);
