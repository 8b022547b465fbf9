-- A buyer's vehicles. Years are of the car, not of a part.
create table garage_vehicle (
  user_id uuid not null references app_user on delete cascade,
  car_model_id uuid not null references car_model on delete cascade,
  year smallint not null check (year between 1900 and 2100),
  used_at timestamptz(3) not null,
  primary key (user_id, car_model_id, year)
);
-- For models that are merged or deleted.
create index garage_vehicle_car_model on garage_vehicle (car_model_id);

-- Parts that a buyer saved, for sale or not.
create table saved_part (
  user_id uuid not null references app_user on delete cascade,
  listing_id uuid not null references listing on delete cascade,
  saved_at timestamptz(3) not null,
  primary key (user_id, listing_id)
);
-- For listings of an erased account.
create index saved_part_listing on saved_part (listing_id);
