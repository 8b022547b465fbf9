-- outside a transaction
-- A report by the token of its emailed link. Building the index must not block reports.
drop index concurrently if exists listing_report_by_token;
create index concurrently listing_report_by_token on listing_report (token_hash) where token_hash is not null;
