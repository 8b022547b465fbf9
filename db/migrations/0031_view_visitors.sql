-- A view counts once for each visitor and day (of UTC). What tells visitors apart is a hash of listing, address and browser
-- with the day's salt. Salts and hashes go the day after, and without its salt a hash says nothing about anyone.
create table view_salt (
  day date primary key,
  salt bytea not null check (octet_length(salt) = 32)
);

-- Unlogged, which halves the cost: after a crash of the database some visitors count twice that day.
create unlogged table view_mark (
  day date not null,
  mark uuid not null,
  primary key (day, mark)
);
