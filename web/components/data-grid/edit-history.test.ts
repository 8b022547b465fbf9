import { expect, test } from 'vitest'
import { type EditStep, emptyHistory, recordStep, redoStep, settleHistory, undoStep } from './edit-history.ts'

const step = (label: string, id = '1'): EditStep => ({
  label,
  edits: [{ id, field: 'price', before: { text: '1' }, after: { text: '2', base: '1' } }],
})

test('steps are taken back in turn and done again', () => {
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

test('a new step ends what could be done again', () => {
  const undone = undoStep(recordStep(emptyHistory, step('Typing')))
  expect(undone && redoStep(recordStep(undone.history, step('Cut')))).toBeUndefined()
})

test('the oldest of very many steps are forgotten', () => {
  let history = emptyHistory
  for (let count = 0; count < 300; count++) history = recordStep(history, step(String(count)))
  expect(history.done).toHaveLength(200)
  expect(history.done.at(-1)?.label).toBe('299')
})

test('a saved row goes back by a new change, another keeps the value that its editor had found', () => {
  const history = recordStep(recordStep(emptyHistory, step('Typing', 'saved')), step('Typing', 'failed'))
  const [saved, failed] = settleHistory(history, new Set(['saved'])).done
  expect(saved?.edits[0]?.after).toEqual({ text: '2' })
  expect(failed?.edits[0]?.after).toEqual({ text: '2', base: '1' })
})
