/** Scripts that read what is live; part of the table of contract/scripts.ts. */

const test = { kind: 'boolean', label: 'Test', help: 'Only the first 3 records' } as const
const dryRun = { kind: 'boolean', label: 'Dry run', help: 'Write nothing, print what would change' } as const
const range = {
  start: { kind: 'number', label: 'Start', least: 0, help: 'First record, counted from 0' },
  end: { kind: 'number', label: 'End', least: 0, help: 'The record before which it ends' },
  limit: { kind: 'number', label: 'Limit', least: 1, help: 'At most so many records' },
} as const

export const liveScripts = [
  {
    name: 'product-page-category',
    scriptId: 'product-page-category',
    queue: 'preprocess',
    source: 'live',
    summary: 'Builds the landing page of each category from its live listings.',
    instructions: [
      'Writes title, meta description and intro, counts parts, and finds the price range and the makes and models listed most. Records are the confirmed categories with live listings, by name. A page whose facts have not changed is not written again; a page keeps its address.',
      'Optimize has the language model write, where a key is set, and writes pages again that were written without it. What it writes is checked against the facts; a text that claims more is replaced by one of the built-in writer.',
      'Category: the name of one category. Verbose prints every page with its words. Dry run prints what would be written as a diff, and writes nothing.',
    ],
    resumable: true,
    flags: {
      test,
      dryRun,
      optimize: { kind: 'boolean', label: 'Optimize', help: 'Write with the language model' },
      verbose: { kind: 'boolean', label: 'Verbose', help: 'Print every page' },
      category: { kind: 'text', label: 'Category', help: 'Only this category' },
      ...range,
    },
  },
] as const
