-- Since when a seller is no longer new: 30 days old with a confirmed address (server/features/sellers/established.ts). What a
-- new seller states of part numbers is shown on its own parts' pages only, and its name may be reviewed.
alter table seller add column established_at timestamptz(3);
update seller s set established_at = now()
where s.created_at < now() - interval '30 days' and exists (
  select from seller_member m join app_user u on u.id = m.user_id
  where m.seller_id = s.id and u.email_verified_at is not null
);
create index seller_new on seller (created_at) where established_at is null;

-- Statements on numbers that an administrator removed; stating them again changes nothing.
create table removed_claim (
  seller_id uuid not null references seller on delete cascade,
  kind text not null check (kind in ('same', 'replaces')),
  number_key text collate "C" not null,
  other_key text collate "C" not null,
  removed_at timestamptz(3) not null default now(),
  removed_by uuid references app_user on delete set null,
  primary key (seller_id, kind, number_key, other_key)
);
create trigger removed_claim_is_public after insert on removed_claim
  for each row execute function note_public_change();
analyze removed_claim;

-- A report counts toward holding an import once the reporter's address is confirmed by a link. `reporter` is a hash of the
-- address and the seller: the same for all reports of one person about one seller, and for no other seller.
alter table listing_report
  add column confirmed_at timestamptz(3),
  add column reporter bytea,
  add column token_hash bytea;
alter table listing_report
  drop constraint listing_report_reason_check,
  add constraint listing_report_reason_check check (
    reason in ('wrong-part', 'wrong-details', 'wrong-number', 'not-for-sale', 'suspicious', 'offensive', 'other')
  ) not valid;
