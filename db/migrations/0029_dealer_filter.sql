-- Administrators find the listings of a dealer by the beginning of the name.
create index listing_by_dealer on listing (lower(dealer_name) text_pattern_ops);
