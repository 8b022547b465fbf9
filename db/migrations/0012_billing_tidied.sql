-- Written, and read by nobody: what a seller chose stands in the audit log, and the provider says when a page has expired.

alter table seller drop column chosen_plan;
alter table provider_request drop column expires_at;
