-- Addresses that pages of categories, manufacturers and models had before: they lead to what their name became. The
-- target is a lookup and no address, so that however often names change nothing has to be followed from one to the next.
create table landing_slug (
  kind text not null check (kind in ('category', 'manufacturer', 'model')),
  slug text collate "C" not null,
  lookup_id uuid not null,
  created_at timestamptz(3) not null default now(),
  primary key (kind, slug)
);
create index landing_slug_by_lookup on landing_slug (kind, lookup_id);

-- What a job's calls to a language model used, each counted when it is made: a job that is stopped or killed has paid too.
create table job_language_use (
  job_id uuid primary key references job on delete cascade,
  calls integer not null,
  input_tokens bigint not null,
  output_tokens bigint not null
);
