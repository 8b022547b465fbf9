import { squash } from './name-form.ts'

const PLACEHOLDERS = new Set([
  ...[
    '',
    'na',
    'none',
    'null',
    'nil',
    'tbd',
    'unknown',
    'unk',
    'unspecified',
    'undefined',
    'blank',
    'empty',
    'test',
  ],
  ...[
    'other',
    'others',
    'misc',
    'miscellaneous',
    'various',
    'varies',
    'general',
    'generic',
    'assorted',
    'multiple',
  ],
  ...[
    'all',
    'any',
    'universal',
    'allmakes',
    'allmodels',
    'multifit',
    'foreign',
    'import',
    'imports',
    'domestic',
  ],
  ...[
    'part',
    'parts',
    'autopart',
    'autoparts',
    'usedparts',
    'carparts',
    'accessory',
    'accessories',
    'oem',
    'stock',
  ],
  ...[
    'car',
    'cars',
    'truck',
    'trucks',
    'van',
    'vans',
    'minivan',
    'pickup',
    'suv',
    'auto',
    'vehicle',
    'sedan',
    'coupe',
  ],
  ...['see', 'seedescription', 'seenotes', 'asdescribed', 'xx', 'xxx', 'zz', 'zzz'],
])

/** Typed into a field because something had to be: it names nothing. */
export const isPlaceholder = (text: string): boolean => PLACEHOLDERS.has(squash(text))

/** "Toyota/Lexus", "Focus, Fusion": two names in one field. */
export const namesOf = (text: string): string[] =>
  text
    .split(/[/,;+|]|\band\b|\bor\b|&/i)
    .map((name) => name.trim())
    .filter((name) => name !== '')
