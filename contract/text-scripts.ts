import { dryRun, range, test } from './script-flags.ts'

/** Scripts that write a text for each record; part of the table of contract/scripts.ts. */

const concurrent = (usual: number) =>
  ({
    kind: 'number',
    label: 'Concurrent',
    least: 1,
    help: `Calls to the language model at one time; ${usual} unless told`,
  }) as const

export const textScripts = [
  {
    name: 'h1-optimizer',
    scriptId: 'h1-optimizer',
    queue: 'h1Optimizer',
    source: 'staging',
    summary: 'Writes a heading (h1) for each record of a staged file, for the page of its listing.',
    instructions: [
      'Resolve the names of the file first (Resolve Taxonomy), and decide those that are unsure: a heading is written with the names as the file has them then. One that was written before keeps the old names until Force reoptimize writes it again.',
      'Load a staged file first. Records that have a heading keep it unless Force reoptimize is on. A heading is years, make, model, trim and the part’s name as the seller typed it; no word of the name is changed. One of the language model that drops such a word or adds a fact is refused with the reason, and the record keeps what it had. At the end there is one new version of the file; promote it to show the headings.',
      'Test works on the first 3 records, Dry run prints each heading before and after and writes nothing. Start counts from 0, End is the first record that is left out; rows are told counted from 1. With OPENAI_API_KEY set the language model writes, Concurrent calls at one time; without it, the built-in template is used.',
    ],
    resumable: true,
    flags: {
      test,
      dryRun,
      forceReoptimize: {
        kind: 'boolean',
        label: 'Force reoptimize',
        help: 'Also where there is a heading',
      },
      concurrent: concurrent(5),
      ...range,
    },
  },
  {
    name: 'description-optimizer',
    scriptId: 'description-optimizer',
    queue: 'descriptionOptimizer',
    source: 'either',
    summary:
      'Adds what the record says to descriptions that are missing or very short: in a staged file, or in live listings.',
    instructions: [
      'Resolve the names first: of a staged file with Resolve Taxonomy, of live listings with name-manu-model-opt. A description is written with the names as they are then; one that was written before keeps the old names until Force override writes it again.',
      'With a staged file loaded it writes there, as one new version; without, in live listings of all sellers, the oldest first. What it did to live listings stands in the history and is undone there as a bulk save.',
      'The seller’s words stay to the letter. Below them come lines for part, vehicle, part number, miles and damage, where the record has them: in descriptions of less than 50 characters, or in all with Force override. A description whose own line contradicts the record is refused with the word. The language model only writes where there is no description; length, bad words and invented facts are checked, and Skip validation leaves that to you. The first record that is refused ends the job, and what was written before it stays; with Continue on error it goes on.',
      'Test works on the first 3 records, Dry run prints each text before and after and writes nothing, Verbose prints each text that is written. Start counts from 0, End is the first record that is left out; rows are told counted from 1. With OPENAI_API_KEY set the chosen model writes, Concurrent calls at one time; without it, the built-in template is used.',
    ],
    resumable: true,
    flags: {
      test,
      dryRun,
      continueOnError: {
        kind: 'boolean',
        label: 'Continue on error',
        help: 'Go on after a record that is refused',
      },
      skipValidation: {
        kind: 'boolean',
        label: 'Skip validation',
        help: 'Do not check what is written',
      },
      forceOverride: {
        kind: 'boolean',
        label: 'Force override',
        help: 'Also where there is a description',
      },
      verbose: { kind: 'boolean', label: 'Verbose', help: 'Print each text' },
      model: { kind: 'select', label: 'Model', options: ['gpt-4o', 'gpt-3.5-turbo'] },
      concurrent: concurrent(4),
      ...range,
    },
  },
] as const
