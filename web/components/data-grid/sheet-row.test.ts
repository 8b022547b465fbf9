import { expect, test } from 'vitest'
import {
  changesOf,
  conflictsOf,
  type EditStep,
  emptyHistory,
  hasProblems,
  isChanged,
  problemOf,
  rebaseRow,
  recordStep,
  redoStep,
  refuseRow,
  saveRow,
  settleHistory,
  textOf,
  toSheetRow,
  undoStep,
  writeCells,
} from './sheet-row.ts'

const check = ({ price }: Readonly<Record<string, string>>): Record<string, string> =>
  price === 'bad' ? { price: 'Digits only' } : {}
const server = (values: Record<string, string>, version = 1) => ({ id: 'a', version, values })
const row = toSheetRow(server({ price: '10', dealer: 'Yard' }))
const write = (field: string, text: string, from = row) => writeCells(from, { [field]: { text } }, check)

test('a change keeps the value it replaced', () => {
  const twice = write('price', '12', write('price', '11'))
  expect(twice.pending).toEqual({ price: { base: '10', mine: '12' } })
  expect(textOf(twice, 'price')).toBe('12')
  expect(changesOf(twice)).toEqual({ price: '12' })
})

test('writing the same value is not a change', () => {
  expect(isChanged(write('price', '10', write('price', '11')))).toBe(false)
})

test('a value is checked, and its problem disappears once it is fixed', () => {
  const bad = write('price', 'bad')
  expect(problemOf(bad, 'price')).toBe('Digits only')
  expect(hasProblems(write('price', '9', bad))).toBe(false)
})

const merges = [
  ['nothing of theirs', { price: '10', dealer: 'Yard' }, { price: '11' }, []],
  ['another cell of theirs', { price: '10', dealer: 'Salvage' }, { price: '11' }, []],
  ['the same value of theirs', { price: '11', dealer: 'Yard' }, {}, []],
  ['another value of theirs', { price: '15', dealer: 'Yard' }, { price: '11' }, ['price']],
] as const

test.each(merges)('my change meets %s', (_name, values, changes, conflicts) => {
  const merged = rebaseRow(write('price', '11'), server(values, 2), check)
  expect(merged.version).toBe(2)
  expect(textOf(merged, 'dealer')).toBe(values.dealer)
  expect(changesOf(merged)).toEqual(changes)
  expect(conflictsOf(merged)).toEqual(conflicts)
})

test('a conflict ends by keeping mine or taking theirs', () => {
  const merged = rebaseRow(write('price', '11'), server({ price: '15', dealer: 'Yard' }, 2), check)
  const mine = writeCells(
    merged,
    { price: { text: textOf(merged, 'price'), base: merged.values.price } },
    check,
  )
  expect(mine.pending).toEqual({ price: { base: '15', mine: '11' } })
  expect(conflictsOf(mine)).toEqual([])
  expect(isChanged(write('price', '15', merged))).toBe(false)
})

test('typing over a conflict does not resolve it', () => {
  const merged = rebaseRow(write('price', '11'), server({ price: '15', dealer: 'Yard' }, 2), check)
  expect(conflictsOf(write('price', '12', merged))).toEqual(['price'])
})

test('a conflict ends if they restore the value', () => {
  const once = rebaseRow(write('price', '11'), server({ price: '15', dealer: 'Yard' }, 2), check)
  const back = rebaseRow(once, server({ price: '10', dealer: 'Yard' }, 3), check)
  expect(conflictsOf(back)).toEqual([])
})

test('a refusal stays at its cell until the cell is edited', () => {
  const refused = refuseRow(write('price', '11'), ['Price: too high'], { price: 'Too high' })
  expect(problemOf(refused, 'price')).toBe('Too high')
  expect(refused.errors).toEqual([])
  expect(problemOf(write('dealer', 'Other', refused), 'price')).toBe('Too high')
  expect(hasProblems(write('price', '9', refused))).toBe(false)
})

test('a refusal of the whole row stays until the row is edited', () => {
  const refused = refuseRow(write('price', '11'), ['This listing was deleted'])
  expect(refused.errors).toEqual(['This listing was deleted'])
  expect(hasProblems(write('dealer', 'Other', refused))).toBe(false)
})

test('after a save only later changes are unsaved', () => {
  const sent = { price: '11' }
  const current = server({ price: '11', dealer: 'Yard' }, 2)
  expect(isChanged(saveRow(write('price', '11'), sent, current, check))).toBe(false)
  const meanwhile = write('dealer', 'Mine', write('price', '12', write('price', '11')))
  const saved = saveRow(meanwhile, sent, current, check)
  expect(saved.pending).toEqual({
    price: { base: '11', mine: '12' },
    dealer: { base: 'Yard', mine: 'Mine' },
  })
})

test('a value undone during its save is a change again', () => {
  const current = server({ price: '11', dealer: 'Yard' }, 2)
  const undoneRow = write('price', '10', write('price', '11'))
  const saved = saveRow(undoneRow, { price: '11' }, current, check)
  expect(textOf(saved, 'price')).toBe('10')
  expect(saved.pending).toEqual({ price: { base: '11', mine: '10' } })
})

test('a value that the server normalizes counts as saved', () => {
  const current = server({ price: '11', dealer: 'YARD' }, 2)
  expect(isChanged(saveRow(write('dealer', 'yard'), { dealer: 'yard' }, current, check))).toBe(false)
})

const step = (label: string, id = '1'): EditStep => ({
  label,
  edits: [{ id, field: 'price', before: { text: '1' }, after: { text: '2', base: '1' } }],
})

test('steps are undone in order and redone', () => {
  const two = recordStep(recordStep(emptyHistory, step('Typing')), step('Paste'))
  const undone = undoStep(two)
  expect(undone?.step.label).toBe('Paste')
  const both = undone && undoStep(undone.history)
  expect(both?.step.label).toBe('Typing')
  expect(both && undoStep(both.history)).toBeUndefined()
  const again = both && redoStep(both.history)
  expect(again?.step.label).toBe('Typing')
  expect(again && redoStep(again.history)?.history).toEqual(two)
})

test('a new step clears the redo steps', () => {
  const undone = undoStep(recordStep(emptyHistory, step('Typing')))
  expect(undone && redoStep(recordStep(undone.history, step('Cut')))).toBeUndefined()
})

test('the oldest of very many steps are forgotten', () => {
  let history = emptyHistory
  for (let count = 0; count < 300; count++) history = recordStep(history, step(String(count)))
  expect(history.done).toHaveLength(200)
  expect(history.done.at(-1)?.label).toBe('299')
})

test('undoing a saved row makes a new change; an unsaved row keeps its base', () => {
  const history = recordStep(recordStep(emptyHistory, step('Typing', 'saved')), step('Typing', 'failed'))
  const [saved, failed] = settleHistory(history, new Set(['saved'])).done
  expect(saved?.edits[0]?.after).toEqual({ text: '2' })
  expect(failed?.edits[0]?.after).toEqual({ text: '2', base: '1' })
})
