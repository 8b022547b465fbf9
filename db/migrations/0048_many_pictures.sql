-- A listing has up to 24 pictures. Marks show damage: [{"x": 0.4, "y": 0.25, "note": "crack"}], from the left and top edge.
alter table listing_image add column marks jsonb not null default '[]';

-- Pictures that a file took from a listing. Undoing its import brings them back, although their addresses may be gone by
-- then; after that they are swept.
create table removed_picture (
  id uuid primary key,
  listing_id uuid not null references listing on delete cascade,
  alt text not null,
  source_url text,
  sha256 text collate "C",
  width integer,
  height integer,
  widths integer[] not null,
  state text not null,
  error text,
  created_at timestamptz(3) not null,
  marks jsonb not null,
  removed_at timestamptz(3) not null default now()
);
create index removed_picture_by_listing on removed_picture (listing_id);
create index removed_picture_by_content on removed_picture (sha256);
create index removed_picture_by_age on removed_picture (removed_at);

-- The column that files of eBay get for their pictures has all of them now.
update mapping_template set mapping = jsonb_set(mapping, '{imageUrl}', '"Pictures"') where mapping ->> 'imageUrl' = 'First picture';
update import set mapping = jsonb_set(mapping, '{imageUrl}', '"Pictures"') where mapping ->> 'imageUrl' = 'First picture';
