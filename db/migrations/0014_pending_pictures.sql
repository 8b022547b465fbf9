-- What the job that fetches pictures walks.
create index listing_image_pending on listing_image (id) where state = 'pending';
