-- A passkey that is shown with the password, before anybody knows whose it is.
alter table factor_ticket alter column user_id drop not null;
alter table factor_ticket drop constraint factor_ticket_purpose_check,
  add constraint factor_ticket_purpose_check
    check (purpose in ('sign-in', 'known-by-passkey', 'reauth', 'add-passkey', 'add-totp'));
