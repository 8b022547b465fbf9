-- Models are what people say; cab, bed and body are a field of the part.
alter table listing add column body_style text;

-- What another name says beside its model: "F150 Regular Cab" a body style, "328i" a trim.
alter table car_model_alias add column body_style text, add column trim_name text;
