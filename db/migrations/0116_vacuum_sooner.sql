-- Undoing an import of a million rows writes each listing once more, and autovacuum by its defaults, after a fifth of a table
-- has changed and at a fifth of this speed, came when most of it was done: 1.2 GB became 2.1. Sooner and faster, the room
-- of the first rows is used again for the later ones.
alter table listing set (
  autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_cost_limit = 1000, autovacuum_analyze_scale_factor = 0.05);
alter table listing_search set (
  autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_cost_limit = 1000, autovacuum_analyze_scale_factor = 0.05);
