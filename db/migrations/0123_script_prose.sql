-- What a language model wrote as a description, by its hash: wherever the text goes, into staged files, listings and copies, it
-- is known to be made from a part's facts, and does not outlive them. A person's own text is never in here.
create table script_prose (
  hash bytea primary key,
  written_at timestamp(3) with time zone not null default now()
);
