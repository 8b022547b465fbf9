/* What a process of PartHarbor gets and may hold, on a small machine with the database beside it. */

export const HEAP_MB = 128
/** Of the whole process, in bytes, whatever the size of the file. */
export const MOST_MEMORY = 300_000_000
