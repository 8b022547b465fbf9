import { expect, test } from 'vitest'
import { testVocabulary } from '#tests/support/test-vocabulary.ts'

/* Models as lists from other countries write them. */

test.each([
  ['BMW', '3er', '3 Series'],
  ['BMW', '3er Touring', '3 Series'],
  ['BMW', 'Série 3', '3 Series'],
  ['BMW', 'Serie 5', '5 Series'],
  ['Mercedes-Benz', 'C-Klasse', 'C-Class'],
  ['Mercedes-Benz', 'Classe E', 'E-Class'],
  ['Volkswagen', 'Golf 5', 'Golf'],
  ['Volkswagen', 'Golf VI', 'Golf'],
  ['Land Rover', 'Freelander 2', 'LR2'],
])('%s %s is the %s', (make, typed, model) => {
  expect(testVocabulary.models.match(make, typed)).toMatchObject({ kind: 'known', name: model })
})
