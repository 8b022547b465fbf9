/* Flags that most scripts have; see the table of contract/scripts.ts. */

export const test = { kind: 'boolean', label: 'Test', help: 'Only the first 3 records' } as const

export const dryRun = {
  kind: 'boolean',
  label: 'Dry run',
  help: 'Write nothing, print what would be written',
} as const

/** Which records, counted from 0 in the script's own order. */
export const range = {
  start: { kind: 'number', label: 'Start', least: 0, help: 'The first record; counted from 0' },
  end: { kind: 'number', label: 'End', least: 0, help: 'The first record that is left out' },
  limit: { kind: 'number', label: 'Limit', least: 1, help: 'At most so many records' },
} as const
