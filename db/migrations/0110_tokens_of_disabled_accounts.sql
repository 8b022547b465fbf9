-- Disabling an account ends its API tokens since; those of accounts that were disabled before must not come back either.
delete from api_token t using app_user u where u.id = t.user_id and u.disabled_at is not null;
