import { expect, test } from 'vitest'
import { replacer } from './find-replace.ts'

const loose = { matchCase: false, wholeCell: false }

test.each([
  ['every occurrence', { find: 'a', to: 'o', ...loose }, 'banana', 'bonono'],
  ['any case', { find: 'GREEN', to: 'Blue', ...loose }, 'Green Country', 'Blue Country'],
  ['this case only', { find: 'GREEN', to: 'Blue', ...loose, matchCase: true }, 'Green', undefined],
  ['whole cells only', { find: 'A', to: 'B', ...loose, wholeCell: true }, 'AB', undefined],
  ['a whole cell', { find: 'a', to: 'B', ...loose, wholeCell: true }, 'A', 'B'],
  ['signs as they are', { find: '(918) 555.', to: '+1', ...loose }, 'Call (918) 555.', 'Call +1'],
  ['with signs as they are', { find: 'x', to: '$&$1', ...loose }, 'x', '$&$1'],
  ['nothing while nothing is asked', { find: '', to: 'o', ...loose }, 'banana', undefined],
])('replaces %s', (_name, { to, ...search }, text, result) => {
  expect(replacer(search, to)(text)).toBe(result)
})
