import { expect, test } from 'vitest'
import { type ObstacleInput, obstacleOf } from './wizard-tabs.ts'

const free: ObstacleInput = {
  file: { records: 3 },
  columns: { mapping: { partname: 'Part' } },
  mappingJson: { problem: undefined },
  defaultsJson: { problem: undefined },
  lacking: [],
  unclearMoney: [],
  editsRead: true,
}

test('nothing is blocked if nothing is missing', () => {
  expect(obstacleOf(free)).toBeUndefined()
})

test.each([
  [{ file: undefined }, 'upload', 'Please choose a CSV or CSV.GZ file'],
  [{ file: { records: 0 } }, 'upload', 'The file has a header but no rows'],
  [
    { mappingJson: { problem: 'Mapping JSON is not valid JSON' } },
    'mapping',
    'Mapping JSON is not valid JSON',
  ],
  [{ columns: { mapping: {} } }, 'mapping', 'Provide a mapping JSON or select a template'],
  [{ defaultsJson: { problem: 'Defaults JSON is not valid' } }, 'defaults', 'Defaults JSON is not valid'],
  [
    { lacking: ['partyear', 'partprice'] },
    'mapping',
    'We can’t find these: Year, Price. Which columns have them? If it is the same for every part, enter it under Defaults.',
  ],
  [
    { lacking: ['partmanu', 'partmodel', 'partyear', 'partprice'] },
    'mapping',
    'We can’t find the car. Which column says which car the part is from? We also need: Price.',
  ],
  [
    {
      lacking: ['partmanu', 'partmodel', 'partyear'],
      splits: [{ isOn: false, split: { from: 'APPLICATION', as: 'vehicle' } }],
    },
    'mapping',
    'We can’t find the car. Is it in “APPLICATION”? Then separate it below.',
  ],
  [
    { lacking: ['partprice'] },
    'mapping',
    'We can’t find the price. Which column has it? If it is the same for every part, enter it under Defaults.',
  ],
  [
    { unclearMoney: [{ field: 'partprice', header: 'Preis', value: '1.299' }] },
    'mapping',
    'Choose what “1.299” means in the column “Preis”',
  ],
  [{ editsRead: false }, 'validate', 'Your corrections are still loading. Try again in a moment.'],
] as const)('%j is shown under %s: %s', (change, tab, sentence) => {
  expect(obstacleOf({ ...free, ...change } as ObstacleInput)).toEqual({ tab, sentence })
})

test('a missing file is reported before columns, and columns before values', () => {
  const all = { ...free, lacking: ['partyear'], editsRead: false } as ObstacleInput
  expect(obstacleOf(all)?.tab).toBe('mapping')
  expect(obstacleOf({ ...all, file: undefined })?.tab).toBe('upload')
})
