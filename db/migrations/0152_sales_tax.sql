-- Whether the provider adds sales tax to what this order costs (STRIPE_TAX when it was placed). The previous version places
-- orders without.
alter table part_order add column taxed boolean not null default false;
