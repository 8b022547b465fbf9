-- A yard that leaves its stock numbers out of a file, or sends some rows without, still means the same parts.

-- Of a source that is keyed by a stock number: the key of the part without it, as first sent, so that a row without a
-- number finds it. Null where the part came without one: then `source_key` is that key.
alter table listing_source
  add column part_key bytea,
  -- What its row said last, besides the number: of several parts with one key it tells which one a row is. Null where the
  -- part has none, or where it came before this was kept.
  add column part_hash bytea;
create index listing_source_by_part on listing_source (seller_id, part_key) where part_key is not null;

-- What a source that the action makes or changes gets.
alter table promotion_action
  add column part_key bytea,
  add column part_hash bytea,
  -- For the way back.
  add column prior_part_hash bytea;

-- What was first sent stands in no column; what the listing says now is that, unless somebody renamed something. A source
-- that gets a wrong key by it is found by no row, as before; one that gets none learns it when its row next changes.
update listing_source s
set part_key = substr(sha256(convert_to(concat_ws(E'\n', 'part',
      lower(btrim(coalesce(l.part_number, '')) collate pg_c_utf8),
      case when l.year_to = l.year_from then l.year_from::text else l.year_from || '-' || l.year_to end,
      lower(btrim(l.manufacturer_name) collate pg_c_utf8), lower(btrim(l.model_name) collate pg_c_utf8), lower(btrim(l.name) collate pg_c_utf8)), 'UTF8')), 1, 16)
from listing l
where l.id = s.listing_id and l.stock_number is not null
  and s.source_key = substr(sha256(convert_to(E'stock\n' || lower(btrim(l.stock_number) collate pg_c_utf8), 'UTF8')), 1, 16);

-- Chunks of dry runs keep their rows in another form from here on; a check that is not complete is begun anew.
delete from import where dry_run and state = 'receiving';
