-- Used catalytic converters may not be sold in California and New York, and were listed here before the rule said so. They
-- are only marked here, generously; the job "hide-banned" looks at each with the rule itself, hides it and tells the seller.
create table banned_listing (
  listing_id uuid primary key references listing on delete cascade
);
insert into banned_listing (listing_id)
select l.id from listing l left join category c on c.id = l.category_id
where l.deleted_at is null and l.ended_at is null and l.status = 'ACTIVE'
  and lower(l.state) in ('ca', 'california', 'ny', 'new york')
  and (l.name ~* '\m(catalytic|cat(alyst)? converter)' or c.name ~* '\m(catalytic|cat(alyst)? converter)');
