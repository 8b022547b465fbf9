-- The ground: people, sellers, lookups, listings, their history, jobs, mail, limits.
-- Every id is a uuidv7 (sortable by creation), every time is timestamptz(3): JavaScript dates carry milliseconds,
-- and keyset paging on finer times would lose rows.

create extension if not exists citext;
create extension if not exists btree_gin;
create extension if not exists unaccent;

-- The key under which two spellings of a name are the same: case and white space do not count.
create function name_key(name text) returns text
  language sql immutable strict parallel safe
  return lower(regexp_replace(name, '\s+', '', 'g'));

-- A part number as people type it (27060-0V210, 270600v210, 27060 0V210) becomes one key.
create function part_number_key(part_number text) returns text
  language sql immutable strict parallel safe
  return upper(regexp_replace(part_number, '[^[:alnum:]]', '', 'g'));

-- Words for the text search: "F-150 A/C" is found as f, 150, f150, a, c and ac. The parser of PostgreSQL on its own
-- reads the -150 as a negative number and A/C as a path. Only hyphenated and slashed words are said twice.
create function search_words(text text) returns text
  language sql stable strict parallel safe
  return unaccent(regexp_replace(text, '[^[:alnum:]]+', ' ', 'g') || ' '
    || coalesce((select string_agg(regexp_replace(m[1], '[^[:alnum:]]', '', 'g'), ' ')
                 from regexp_matches(text, '([[:alnum:]]+(?:[-/.][[:alnum:]]+)+)', 'g') as m), ''));

------------------------------------------------------------------------------------------------ people and sellers

create table app_user (
  id uuid primary key default uuidv7(),
  name text not null check (char_length(name) between 1 and 120),
  email citext not null unique check (char_length(email) <= 254),
  password_hash text not null,
  role smallint not null default 0 check (role in (0, 1)),
  disabled_at timestamptz(3),
  email_verified_at timestamptz(3),
  terms_accepted_at timestamptz(3),
  notification_prefs jsonb not null default '{}',
  created_at timestamptz(3) not null default now()
);

-- A seller is not a user: staff of one yard share it, and listings outlive the person who made them.
create table seller (
  id uuid primary key default uuidv7(),
  slug text collate "C" not null unique,
  name text not null,
  currency char(3) not null default 'USD',
  time_zone text not null default 'America/Chicago',
  tier text not null default 'FREE' check (tier in ('FREE', 'PAID')),
  subscription_status text not null default 'INACTIVE'
    check (subscription_status in ('INACTIVE', 'PENDING', 'ACTIVE', 'PAST_DUE', 'CANCELED')),
  subscription_id text,
  subscription_price_id text,
  stripe_customer_id text unique,
  stripe_account_id text unique,
  connect_status text not null default 'NOT_STARTED'
    check (connect_status in ('NOT_STARTED', 'IN_PROGRESS', 'PENDING', 'VERIFIED', 'REJECTED')),
  charges_enabled boolean not null default false,
  royalty_percent numeric(5, 2) not null default 0,
  trusted boolean not null default false,
  listing_defaults jsonb not null default '{}',
  show_phone_publicly boolean not null default false,
  preferred_contact text not null default 'email' check (preferred_contact in ('email', 'phone')),
  created_at timestamptz(3) not null default now()
);

create table seller_member (
  user_id uuid not null references app_user on delete cascade,
  seller_id uuid not null references seller on delete cascade,
  role text not null default 'owner' check (role in ('owner', 'staff')),
  primary key (user_id, seller_id)
);
create index seller_member_by_seller on seller_member (seller_id);

create table seller_location (
  id uuid primary key default uuidv7(),
  seller_id uuid not null references seller on delete cascade,
  name text not null,
  city text not null,
  state text not null,
  zip text,
  latitude double precision check (latitude between -90 and 90),
  longitude double precision check (longitude between -180 and 180)
);
create index seller_location_by_seller on seller_location (seller_id);

-- Bearer tokens are opaque; only their SHA-256 is kept, so a read of this table signs nobody in.
create table session (
  token_hash bytea primary key,
  user_id uuid not null references app_user on delete cascade,
  created_at timestamptz(3) not null default now(),
  last_seen_at timestamptz(3) not null default now(),
  expires_at timestamptz(3) not null
);
create index session_by_user on session (user_id);
create index session_by_expiry on session (expires_at);

-- Failed sign-ins by key (account and address, or address alone). Waiting time doubles with each failure; it lives here
-- so that a restart or a second process does not forget it.
create table sign_in_throttle (
  key text collate "C" primary key,
  failures integer not null,
  blocked_until timestamptz(3) not null,
  last_failure_at timestamptz(3) not null
);
create index sign_in_throttle_by_age on sign_in_throttle (last_failure_at);

-- Fixed-window counters for the few limits that must hold across processes (registration, mail, writes).
create table rate_window (
  key text collate "C" not null,
  window_start timestamptz(3) not null,
  used integer not null,
  primary key (key, window_start)
);

-- What a creating request answered, so that sending it again answers the same and creates nothing twice.
create table idempotency_record (
  owner text collate "C" not null,
  key text collate "C" not null check (char_length(key) between 1 and 200),
  request_hash bytea not null,
  reply jsonb not null,
  created_at timestamptz(3) not null default now(),
  primary key (owner, key)
);
create index idempotency_record_by_age on idempotency_record (created_at);

create table audit_entry (
  id uuid not null default uuidv7(),
  at timestamptz(3) not null default now(),
  action text not null,
  actor_user_id uuid,
  target text,
  ip inet,
  request_id text,
  detail jsonb not null default '{}',
  primary key (id, at)
) partition by range (at);
create table audit_entry_rest partition of audit_entry default;
create index audit_entry_by_actor on audit_entry (actor_user_id, at);

-- What was written down stays as it was: old months are dropped as whole partitions, rows are never touched.
create function refuse_rewriting_audit() returns trigger language plpgsql as $$
begin
  raise exception 'audit entries are neither changed nor deleted' using errcode = 'insufficient_privilege';
end $$;
create trigger audit_entry_append_only before update or delete on audit_entry
  for each row execute function refuse_rewriting_audit();

-- Data that comes with the program (lookups, demo data), by what was loaded: an unchanged file is not read again.
create table loaded_data (
  name text primary key,
  sha256 text collate "C" not null,
  loaded_at timestamptz(3) not null default now()
);

------------------------------------------------------------------------------------------------ lookups

create table category_group (
  id uuid primary key default uuidv7(),
  key text collate "C" not null unique,
  name text not null,
  name_key text collate "C" generated always as (name_key(name)) stored unique,
  position integer not null default 0
);

-- Names that come from sellers' files are provisional: usable by their listing, absent from public lists until confirmed.
create table category (
  id uuid primary key default uuidv7(),
  name text not null check (char_length(btrim(name)) between 1 and 80),
  name_key text collate "C" generated always as (name_key(name)) stored,
  group_id uuid references category_group,
  confirmed boolean not null default true,
  created_at timestamptz(3) not null default now(),
  constraint category_name_unique unique (name_key)
);
create index category_by_group on category (group_id);

create table category_alias (
  alias_key text collate "C" primary key,
  alias text not null,
  category_id uuid not null references category on delete cascade
);
create index category_alias_by_category on category_alias (category_id);

create table manufacturer (
  id uuid primary key default uuidv7(),
  name text not null check (char_length(btrim(name)) between 1 and 80),
  name_key text collate "C" generated always as (name_key(name)) stored,
  confirmed boolean not null default true,
  created_at timestamptz(3) not null default now(),
  constraint manufacturer_name_unique unique (name_key)
);

create table manufacturer_alias (
  alias_key text collate "C" primary key,
  alias text not null,
  manufacturer_id uuid not null references manufacturer on delete cascade
);
create index manufacturer_alias_by_manufacturer on manufacturer_alias (manufacturer_id);

create table car_model (
  id uuid primary key default uuidv7(),
  manufacturer_id uuid not null references manufacturer,
  category_id uuid references category,
  name text not null check (char_length(btrim(name)) between 1 and 80),
  name_key text collate "C" generated always as (name_key(name)) stored,
  model_years int4multirange not null default '{}',
  body_styles text[] not null default '{}',
  confirmed boolean not null default true,
  created_at timestamptz(3) not null default now(),
  constraint car_model_name_unique unique (manufacturer_id, name_key)
);

------------------------------------------------------------------------------------------------ listings

create table listing (
  id uuid primary key default uuidv7(),
  seller_id uuid not null references seller,
  kind text not null check (kind in ('ecommerce', 'quick')),
  slug text collate "C" not null check (char_length(slug) between 1 and 120),
  status text not null default 'ACTIVE' check (status in ('ACTIVE', 'HIDDEN')),
  name text not null,
  description text not null default '',
  category_id uuid references category,
  manufacturer_id uuid references manufacturer,
  manufacturer_name text not null,
  car_model_id uuid references car_model,
  model_name text not null,
  trim_name text,
  year_from smallint not null check (year_from between 1900 and 2200),
  year_to smallint not null check (year_to between 1900 and 2200),
  part_number text collate "C",
  part_number_key text collate "C" generated always as (part_number_key(part_number)) stored,
  stock_number text collate "C",
  vin text collate "C",
  grade char(1) check (grade in ('A', 'B', 'C', 'D')),
  price_cents bigint not null check (price_cents >= 0),
  currency char(3) not null default 'USD',
  quantity integer not null default 1 check (quantity >= 0),
  shipping_kind text not null default 'quote' check (shipping_kind in ('free', 'flat', 'pickup', 'quote')),
  shipping_cents bigint check (shipping_cents >= 0),
  miles integer check (miles >= 0),
  damage text,
  city text not null default '',
  state text not null default '',
  zip text,
  latitude double precision check (latitude between -90 and 90),
  longitude double precision check (longitude between -180 and 180),
  dealer_name text not null default '',
  dealer_phone text,
  dealer_phone_e164 text,
  phone_b text,
  version integer not null default 1,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  ended_at timestamptz(3),
  ended_reason text check (ended_reason in ('sold-here', 'sold-elsewhere', 'scrapped', 'withdrawn')),
  deleted_at timestamptz(3),
  check (year_from <= year_to),
  check ((shipping_kind = 'flat') = (shipping_cents is not null)),
  check ((ended_at is null) = (ended_reason is null))
);

-- A deleted listing gives its address free; restoring it takes a new one if the old is taken.
create unique index listing_slug_unique on listing (slug) where deleted_at is null;
-- What the public list walks: newest first is id order, since ids are made by time.
create index listing_live on listing (id desc) where status = 'ACTIVE' and ended_at is null and deleted_at is null;
-- The public list by price; the other order walks it backwards.
create index listing_live_by_price on listing (price_cents, id desc)
  where status = 'ACTIVE' and ended_at is null and deleted_at is null;
create index listing_by_seller on listing (seller_id, id desc) where deleted_at is null;
create index listing_by_category on listing (category_id, id desc) where deleted_at is null;
create index listing_by_manufacturer on listing (manufacturer_id, id desc) where deleted_at is null;
create index listing_by_car_model on listing (car_model_id, id desc) where deleted_at is null;
create index listing_by_stock_number on listing (seller_id, stock_number) where deleted_at is null and stock_number is not null;

-- Addresses a listing had before: they redirect for ever.
create table listing_slug (
  slug text collate "C" primary key,
  listing_id uuid not null references listing on delete cascade,
  created_at timestamptz(3) not null default now()
);
create index listing_slug_by_listing on listing_slug (listing_id);

-- Text search stands apart: a tsvector and its GIN index in the listing row make a price edit twice as dear.
create table listing_search (
  listing_id uuid primary key references listing on delete cascade,
  seller_id uuid not null,
  live boolean not null,
  document tsvector not null
);
create index listing_search_document on listing_search using gin (document);
create index listing_search_seller on listing_search using gin (seller_id, document);

create table listing_image (
  id uuid primary key default uuidv7(),
  listing_id uuid not null references listing on delete cascade,
  position smallint not null default 0,
  alt text not null default '',
  source_url text,
  sha256 text collate "C",
  width integer,
  height integer,
  -- Widths stored beside the original so far; a job fills them in.
  widths integer[] not null default '{}',
  state text not null default 'ready' check (state in ('pending', 'ready', 'failed')),
  error text,
  created_at timestamptz(3) not null default now(),
  check (state <> 'ready' or sha256 is not null)
);
create unique index listing_image_position on listing_image (listing_id, position);
create index listing_image_by_content on listing_image (sha256);

create table listing_view (
  listing_id uuid not null,
  day date not null,
  views integer not null,
  primary key (listing_id, day)
) partition by range (day);
create table listing_view_rest partition of listing_view default;

------------------------------------------------------------------------------------------------ history

create table change_set (
  id uuid primary key default uuidv7(),
  actor_user_id uuid references app_user on delete set null,
  actor_kind text not null check (actor_kind in ('user', 'job', 'system')),
  on_behalf_of uuid references seller on delete set null,
  job_id uuid,
  import_id uuid,
  request_id text,
  reason text not null,
  at timestamptz(3) not null default now()
);
create index change_set_by_actor on change_set (actor_user_id, id);

-- {field: [before, after]}; a creation stores only where it came from.
create table listing_change (
  change_set_id uuid not null,
  listing_id uuid not null,
  version integer not null,
  changes jsonb not null,
  at timestamptz(3) not null default now(),
  primary key (listing_id, version, at)
) partition by range (at);
create table listing_change_rest partition of listing_change default;
create index listing_change_by_set on listing_change (change_set_id);

create table lookup_change (
  id uuid primary key default uuidv7(),
  change_set_id uuid not null references change_set,
  kind text not null check (kind in ('category', 'manufacturer', 'car_model')),
  lookup_id uuid not null,
  changes jsonb not null
);
create index lookup_change_by_set on lookup_change (change_set_id);

-- A statement-level guard: no write to a listing or a lookup without saying who, in the same transaction.
-- It costs about 3 % of a bulk write; a row trigger that diffs jsonb would cost 80 %.
create function refuse_write_without_change_set() returns trigger language plpgsql as $$
begin
  if coalesce(current_setting('partharbor.change_set', true), '') = '' then
    raise exception 'a write to % needs a change set in the same transaction', tg_table_name
      using errcode = 'insufficient_privilege';
  end if;
  return null;
end $$;

create trigger listing_needs_change_set before insert or update or delete on listing
  for each statement execute function refuse_write_without_change_set();
create trigger category_needs_change_set before insert or update or delete on category
  for each statement execute function refuse_write_without_change_set();
create trigger manufacturer_needs_change_set before insert or update or delete on manufacturer
  for each statement execute function refuse_write_without_change_set();
create trigger car_model_needs_change_set before insert or update or delete on car_model
  for each statement execute function refuse_write_without_change_set();

------------------------------------------------------------------------------------------------ jobs

-- Our record of a job is the truth; the queue library carries only its id. run_no fences: whoever holds an older number
-- writes nothing.
create table job (
  id uuid primary key default uuidv7(),
  queue text not null,
  script_id text,
  status text not null default 'queued'
    check (status in ('queued', 'running', 'completed', 'failed', 'waiting-manual', 'retrying', 'cancelled')),
  payload jsonb not null default '{}',
  options jsonb not null default '{}',
  resumable boolean not null default false,
  checkpoint jsonb,
  run_no integer not null default 0,
  attempts integer not null default 0,
  max_attempts integer not null default 1 check (max_attempts between 1 and 25),
  lost_deliveries integer not null default 0,
  heartbeat_at timestamptz(3),
  last_seq bigint not null default 0,
  progress jsonb,
  result jsonb,
  error text,
  cancel_requested_at timestamptz(3),
  concurrency_key text collate "C",
  retry_of uuid references job on delete set null,
  created_by uuid references app_user on delete set null,
  seller_id uuid references seller on delete set null,
  -- When it may next be started: later than now while it waits for a retry.
  run_after timestamptz(3) not null default now(),
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  started_at timestamptz(3),
  ended_at timestamptz(3)
);
create index job_by_queue on job (queue, status, id desc);
create index job_by_retry on job (retry_of) where retry_of is not null;
create index job_by_status on job (status, id desc);
-- What the reconciler looks at every 5 s; ended jobs must not slow it down.
create index job_unfinished on job (id) where status in ('queued', 'running', 'waiting-manual', 'retrying');
-- Of the jobs with the same key only one runs at a time; who comes second waits.
create unique index job_running_by_key on job (concurrency_key) where status in ('running', 'waiting-manual');

create table job_event (
  job_id uuid not null,
  seq bigint not null,
  at timestamptz(3) not null default now(),
  kind text not null check (kind in ('log', 'progress', 'status', 'error', 'done')),
  stream text,
  message text not null default '',
  data jsonb,
  primary key (job_id, seq, at)
) partition by range (at);
create table job_event_rest partition of job_event default;

create table job_artifact (
  id uuid primary key default uuidv7(),
  job_id uuid not null references job on delete cascade,
  name text not null,
  file_key text not null,
  bytes bigint not null,
  created_at timestamptz(3) not null default now()
);
create index job_artifact_by_job on job_artifact (job_id);

-- State kept: no mail server is set, the mail stays here to be read in the outbox.
create table mail (
  id uuid primary key default uuidv7(),
  recipient text not null,
  reply_to text,
  subject text not null,
  body text not null,
  state text not null default 'queued' check (state in ('queued', 'sent', 'failed', 'kept')),
  error text,
  created_at timestamptz(3) not null default now(),
  sent_at timestamptz(3)
);

------------------------------------------------------------------------------------------------ partitions by month

-- Makes the partitions of this month and the next two for every table split by month. A default partition catches what
-- comes outside of them, so a late run loses nothing; a month that already has rows there stays there as a whole.
create function ensure_month_partitions(today date default current_date) returns void language plpgsql as $$
declare
  parent text;
  month date;
begin
  foreach parent in array array['audit_entry', 'listing_view', 'listing_change', 'job_event'] loop
    for n in 0..2 loop
      month := (date_trunc('month', today) + make_interval(months => n))::date;
      if to_regclass(format('%s_%s', parent, to_char(month, 'YYYYMM'))) is null then
        begin
          execute format('create table %I partition of %I for values from (%L) to (%L)',
            format('%s_%s', parent, to_char(month, 'YYYYMM')), parent, month, (month + interval '1 month')::date);
        exception when check_violation then
          raise warning '% has rows of % in its default partition', parent, to_char(month, 'YYYY-MM');
        end;
      end if;
    end loop;
  end loop;
end $$;

select ensure_month_partitions();

-- How long rows of the split tables are kept; the sweeper drops whole partitions by it.
create table retention_rule (
  table_name text primary key,
  keep interval not null
);
insert into retention_rule values
  ('job_event', '6 months'), ('audit_entry', '24 months'), ('listing_change', '24 months'), ('listing_view', '24 months');
