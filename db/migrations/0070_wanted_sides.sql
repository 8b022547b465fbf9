-- What sellers see of a saved search has its side now: all of them are read again.
delete from saved_search_reading;
