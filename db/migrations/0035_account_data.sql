-- Tokens for a dealer's own system. A token is shown once and stored as a hash; its last characters tell it from others.
create table api_token (
  id uuid primary key default uuidv7(),
  token_hash bytea not null unique,
  user_id uuid not null references app_user on delete cascade,
  seller_id uuid not null references seller on delete cascade,
  name text not null check (char_length(btrim(name)) between 1 and 80),
  ending text not null check (char_length(ending) = 4),
  scopes text[] not null check (cardinality(scopes) > 0),
  created_at timestamptz(3) not null default now(),
  -- As precise as a session's.
  last_used_at timestamptz(3),
  -- Null for a token that does not expire.
  expires_at timestamptz(3)
);
create index api_token_by_user on api_token (user_id, id);

-- Accounts that their owners closed. A sign-in before `erase_after` takes it back: then `reopened_at` is set, and the row
-- goes as soon as the listings are back. After that the row stays for good, as the record of the erasure.
create table account_closure (
  user_id uuid primary key references app_user on delete cascade,
  asked_at timestamptz(3) not null,
  erase_after timestamptz(3) not null,
  reopened_at timestamptz(3),
  erased_at timestamptz(3),
  -- The time at which the listings that it took down ended: those come back.
  taken_down_at timestamptz(3) not null,
  check (reopened_at is null or erased_at is null)
);
create index account_closure_due on account_closure (erase_after) where erased_at is null and reopened_at is null;

-- A message whose writer or reader closed their account keeps its time, state and part, and nothing of a person.
alter table lead add column erased_at timestamptz(3);
alter table lead drop constraint lead_check;
alter table lead add constraint lead_check check (email is not null or phone is not null or erased_at is not null);
-- Messages that a person wrote as a buyer, for their export and their closure.
create index lead_by_email on lead (lower(email)) where email is not null;
create index listing_report_by_email on listing_report (lower(email)) where email is not null;

-- Erasing an account takes addresses and names out of the log; who, what and when stay as they were written.
create or replace function refuse_rewriting_audit() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' and current_setting('partharbor.erasing', true) = 'on' and new.ip is null
    and (new.id, new.at, new.action, new.actor_user_id, new.request_id)
      is not distinct from (old.id, old.at, old.action, old.actor_user_id, old.request_id)
  then
    return new;
  end if;
  raise exception 'audit entries are neither changed nor deleted' using errcode = 'insufficient_privilege';
end $$;
