-- The job that did it, which administrators read by the name of its script. No foreign key: entries outlive jobs.
alter table audit_entry add column job_id uuid;
