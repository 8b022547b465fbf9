-- The same distance, written so that PostgreSQL puts the formula in place of the call: a function that is strict may contain
-- nothing that is not, as `least` is. A distance takes one microsecond instead of twenty.
create or replace function miles_between(a integer, b integer) returns double precision
  language sql immutable strict parallel safe
  return 2 * 3958.8::double precision * atan2(
    sqrt(power(sind((place_latitude(b) - place_latitude(a)) / 2), 2)
      + cosd(place_latitude(a)) * cosd(place_latitude(b)) * power(sind((place_longitude(b) - place_longitude(a)) / 2), 2)),
    sqrt(abs(1 - power(sind((place_latitude(b) - place_latitude(a)) / 2), 2)
      - cosd(place_latitude(a)) * cosd(place_latitude(b)) * power(sind((place_longitude(b) - place_longitude(a)) / 2), 2))));
