-- Searches that found nothing, added up by their words, so that admins see which words are missing. Nobody's name is with them.
create table empty_search (
  words text collate "C" primary key check (char_length(words) between 1 and 200),
  times integer not null default 1,
  first_at timestamptz(3) not null default now(),
  last_at timestamptz(3) not null default now()
);
create index empty_search_by_times on empty_search (times desc, last_at desc);
create index empty_search_by_time on empty_search (last_at);
