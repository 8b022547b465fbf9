-- Messages of buyers, and what a seller's pages need to be counted.

create table lead (
  id uuid primary key default uuidv7(),
  seller_id uuid not null references seller on delete cascade,
  -- Stays when the listing goes.
  listing_id uuid references listing on delete set null,
  listing_title text not null,
  name text not null check (char_length(name) between 1 and 120),
  email text check (char_length(email) <= 254),
  phone text check (char_length(phone) <= 40),
  message text not null check (char_length(message) between 1 and 5000),
  state text not null default 'new' check (state in ('new', 'answered', 'closed')),
  created_at timestamptz(3) not null default now(),
  answered_at timestamptz(3),
  check (email is not null or phone is not null)
);
create index lead_by_seller on lead (seller_id, id desc);
create index lead_by_seller_and_state on lead (seller_id, state, id desc);
create index lead_by_seller_and_time on lead (seller_id, created_at) include (listing_id);
create index lead_by_listing on lead (listing_id);

create table lead_answer (
  id uuid primary key default uuidv7(),
  lead_id uuid not null references lead on delete cascade,
  author_user_id uuid references app_user on delete set null,
  author_name text not null,
  message text not null check (char_length(message) between 1 and 5000),
  created_at timestamptz(3) not null default now()
);
create index lead_answer_by_lead on lead_answer (lead_id, id);

-- Whose listing was looked at, so that a seller's views are found without walking all of their listings, and summed up
-- without the table.
alter table listing_view add seller_id uuid;
update listing_view v set seller_id = l.seller_id from listing l where l.id = v.listing_id;
create index listing_view_by_seller on listing_view (seller_id, day) include (listing_id, views);

-- Views and leads of a seller's days, kept with every write of either: summing up a million rows and asking a million
-- listings for their category takes seconds.
create table seller_day (
  seller_id uuid not null references seller on delete cascade,
  -- Of the seller's own calendar.
  day date not null,
  -- Of the listing when it was looked at or asked after; null where it had none.
  category_id uuid,
  views bigint not null default 0,
  leads bigint not null default 0,
  unique nulls not distinct (seller_id, day, category_id)
);
insert into seller_day (seller_id, day, category_id, views)
select l.seller_id, v.day, l.category_id, sum(v.views)
from listing_view v join listing l on l.id = v.listing_id group by 1, 2, 3;

-- The summary of a week goes out once to each member of a seller, however often its job runs.
create table weekly_summary (
  seller_id uuid not null references seller on delete cascade,
  user_id uuid not null references app_user on delete cascade,
  -- The Monday with which the week began.
  week date not null,
  -- Null where there was nothing to tell.
  mail_id uuid,
  primary key (user_id, seller_id, week)
);
