import { dryRun, range, test } from './script-flags.ts'

/** Scripts that read what is live; part of the table of contract/scripts.ts. */

export const liveScripts = [
  {
    name: 'product-page-category',
    scriptId: 'product-page-category',
    queue: 'preprocess',
    source: 'live',
    summary: 'Builds the landing page of each category from its live listings.',
    instructions: [
      'Writes title, meta description and intro, counts parts, and finds the price range and the makes and models listed most. Records are the confirmed categories with live listings, by name. A page whose facts have not changed is not written again. The address of a page follows the name of its category, and the old one leads to the new one.',
      'Optimize has the language model write, where a key is set, and writes pages again that were written without it. What it writes is checked against the facts; a text that claims more is replaced by the built-in template.',
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
  {
    name: 'name-manu-model-opt',
    scriptId: 'naming-optimizer',
    queue: 'namingOptimizer',
    source: 'live',
    summary:
      'Brings the names of categories, manufacturers and models into one spelling and merges duplicates.',
    instructions: [
      'Run it before the scripts that write texts and pages: they use the names as they stand. What was written before keeps the old names until it is written again. Names in a staged file are resolved there, with Resolve Taxonomy.',
      'Corrects case and spacing, knows other words for a manufacturer (Chevy, VW), and merges names that are another spelling of a confirmed one. The old name stays as an alias, and listings follow in a job of their own. Names that came with the catalogue stay as they are.',
      'What it is not sure of is printed for a person to decide and left alone. Records are manufacturers, then models, then categories, each by name. A name that was looked at is not looked at again unless it changed; Force reoptimize looks at all.',
      'Target: one kind of name. Category, Manufacturer and Model: one name; Manufacturer also narrows the models. Batch mode changes all names of a page in one transaction, else each has its own, Concurrent of them at one time. Dry run prints the plan as a diff, and writes nothing.',
    ],
    resumable: true,
    flags: {
      test,
      dryRun,
      forceReoptimize: {
        kind: 'boolean',
        label: 'Force reoptimize',
        help: 'Also names that were looked at',
      },
      batchMode: { kind: 'boolean', label: 'Batch mode', help: 'A page of names in one transaction' },
      concurrent: { kind: 'number', label: 'Concurrent', least: 1, help: 'Changes at one time' },
      target: { kind: 'select', label: 'Target', options: ['all', 'category', 'manufacturer', 'model'] },
      category: { kind: 'text', label: 'Category', help: 'Only this category' },
      manufacturer: { kind: 'text', label: 'Manufacturer', help: 'Only this one, and its models' },
      model: { kind: 'text', label: 'Model', help: 'Only models of this name' },
      ...range,
    },
  },
] as const

export const linkingScript = {
  name: 'internal-linking',
  scriptId: 'internal-linking',
  queue: 'internalLinking',
  source: 'live',
  summary: 'Links listings and the pages of categories, manufacturers and models with one another.',
  instructions: [
    'First makes pages of manufacturers, models and categories that have live listings and no page, then chooses for each page and each listing where its Related block leads, with the words of each link. Records are categories, manufacturers and models by name, then the live listings.',
    'A listing whose links all lead somewhere is left as it is, and a link that stands keeps its words; Force reprocess makes all anew.',
    'Type: only pages of that kind, and no listings. Target: the name or address of one page, or the address of one listing. OpenAI optimize has the language model word the links of pages, where a key is set; the template words those of listings. Dry run prints what would change as a diff, and writes nothing.',
  ],
  resumable: true,
  flags: {
    type: { kind: 'select', label: 'Type', options: ['category', 'manufacturer', 'model'] },
    target: { kind: 'text', label: 'Target', help: 'Only this page or listing' },
    test,
    dryRun,
    forceReprocess: { kind: 'boolean', label: 'Force reprocess', help: 'Also what has its links' },
    openaiOptimize: { kind: 'boolean', label: 'OpenAI optimize', help: 'Words by the language model' },
    ...range,
  },
} as const
