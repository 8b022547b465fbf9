-- The page of a model is below the one of its make: "toyota-camry" becomes "toyota/camry", and its former address redirects.
create temporary table moved on commit drop as
select page.id, page.slug, page.lookup_id,
       make.slug || '/' || case when starts_with(page.slug, make.slug || '-')
                                then substr(page.slug, length(make.slug) + 2) else page.slug end as now
from landing_page page
join car_model model on model.id = page.lookup_id
join manufacturer on manufacturer.id = model.manufacturer_id
cross join lateral (
  select coalesce(
    (select slug from landing_page where kind = 'manufacturer' and lookup_id = manufacturer.id),
    btrim(regexp_replace(lower(unaccent(manufacturer.name)), '[^a-z0-9]+', '-', 'g'), '-')) as slug
) make
where page.kind = 'model' and page.slug not like '%/%';

insert into landing_slug (kind, slug, lookup_id) select 'model', slug, lookup_id from moved
on conflict (kind, slug) do update set lookup_id = excluded.lookup_id;

update landing_page page set slug = moved.now from moved where page.id = moved.id;

-- Where each file of the sitemap begins. A file never gets another beginning, so a new address changes one file only.
create table sitemap_file (
  kind text collate "C" not null,
  number integer not null check (number > 0),
  -- The file has the ids above this one, up to that of the next file.
  after_id uuid not null,
  primary key (kind, number)
);

-- Whether shopping sites may read a seller's parts at /feeds/{slug}/.
alter table seller add column feeds boolean not null default false;

-- What search engines were told: every change before `since`, and of the changes until `until` those of the listings up to
-- `after_listing`.
create table index_now (
  id boolean primary key default true check (id),
  since timestamptz(3) not null,
  until timestamptz(3),
  after_listing uuid,
  check (until is not null or after_listing is null)
);

-- Changes are appended in the order of their time, so these few pages find those of the last minutes among millions.
create index listing_change_by_time on listing_change using brin (at) with (pages_per_range = 16, autosummarize = on);
