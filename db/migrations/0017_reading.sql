-- Any yard's file: how it is read is decided by its first chunk and holds for all of them; templates remember it.

-- Encoding, delimiter, quote, header row, layout, decimal marks (contract/yard-file/reading.ts); null until a chunk came.
alter table import add column reading jsonb;

-- Of a dry run in several chunks: key and hash of each good row, 32 bytes each, so that the last chunk can say what the
-- file does as a whole. Gone once that is said.
alter table import_chunk add column row_pairs bytea;

alter table mapping_template add column reading jsonb;
