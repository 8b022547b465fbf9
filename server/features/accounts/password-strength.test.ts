import { expect, test } from 'vitest'
import { passwordProblem } from './password-strength.ts'

const owner = { name: 'Maria del Río', email: 'm.delrio@rio-salvage.com', productName: 'PartHarbor' }

test.each([
  'copper-lantern-42',
  'twelve tow trucks',
  'correct maria horse staple',
  'spartan-party-hat',
  'ключ от гаража',
  '🚗🛻🚚🚛🚜🏍🛵🚲',
  'x7#kQ9!b',
])('S3 %j will do', (plain) => {
  expect(passwordProblem(plain, owner)).toBeUndefined()
})

test.each([
  ['password1', 'one of the first'],
  ['PASSWORD1', 'one of the first'],
  ['qwertyuiop', 'one of the first'],
  ['chevrolet', 'one of the first'],
  ['mariapassword', 'one of the first'],
  ['aaaaaaaaaaaa', 'repeats too few'],
  ['12121212121', 'repeats too few'],
  ['partharbor', 'PartHarbor'],
  ['PartHarbor1!', 'PartHarbor'],
  ['harbor-demo-1', 'PartHarbor'],
  ['Maria1975', 'your name'],
  ['delrio-delrio', 'your e-mail'],
  ['m.delrio@rio-salvage.com', 'your e-mail'],
  ['rio_salvage_99', 'your e-mail'],
])('S3 %j is refused: %s', (plain, reason) => {
  const problem = passwordProblem(plain, owner) ?? 'no problem'
  expect(problem).toContain(reason)
  expect(problem).toContain('few unrelated words')
})
