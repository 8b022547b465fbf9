-- The yard whose import made a name. Until somebody confirms it, the lists of names give it to that yard alone; names that were
-- made before are given to everybody while a part for sale uses them, as they were. No foreign key: a yard that is gone made it
-- all the same.
alter table category add column made_by uuid;
alter table manufacturer add column made_by uuid;
alter table car_model add column made_by uuid;
