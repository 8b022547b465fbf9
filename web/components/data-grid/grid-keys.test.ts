import { expect, test } from 'vitest'
import { commandFor, isSaveKey } from './grid-keys.ts'

const press = (written: string) => {
  const parts = written.split('+')
  const key = parts.at(-1) ?? ''
  return {
    key: key === 'Space' ? ' ' : key,
    ctrlKey: parts.includes('Ctrl'),
    metaKey: parts.includes('Cmd'),
    shiftKey: parts.includes('Shift'),
    altKey: parts.includes('Alt'),
  }
}

test.each([
  ['ArrowDown', { name: 'move', step: { rows: 1, columns: 0 }, extend: false }],
  ['Shift+ArrowLeft', { name: 'move', step: { rows: 0, columns: -1 }, extend: true }],
  ['Ctrl+ArrowDown', { name: 'move', step: { rows: Infinity, columns: 0 }, extend: false }],
  ['Home', { name: 'move', step: { rows: 0, columns: -Infinity }, extend: false }],
  ['Ctrl+Shift+End', { name: 'move', step: { rows: Infinity, columns: Infinity }, extend: true }],
  ['PageDown', { name: 'page', down: true, extend: false }],
  ['Shift+Tab', { name: 'tab', back: true }],
  ['Enter', { name: 'open' }],
  ['F2', { name: 'edit' }],
  ['Backspace', { name: 'clear' }],
  ['Ctrl+z', { name: 'undo' }],
  ['Cmd+z', { name: 'undo' }],
  ['Ctrl+Shift+Z', { name: 'redo' }],
  ['Ctrl+y', { name: 'redo' }],
  ['Ctrl+d', { name: 'fillDown' }],
  ['Shift+Space', { name: 'selectRows' }],
  ['Ctrl+Space', { name: 'selectColumns' }],
  ['Shift+F8', { name: 'previousError' }],
  ['Alt+Shift+ArrowRight', { name: 'widen', by: 16 }],
  ['a', { name: 'type', text: 'a' }],
  ['Shift+A', { name: 'type', text: 'A' }],
  ['*', { name: 'type', text: '*' }],
  ['?', { name: 'help' }],
])('%s', (written, command) => {
  expect(commandFor(press(written))).toEqual(command)
})

test.each(['Ctrl+c', 'Ctrl+v', 'Ctrl+x', 'Ctrl+r', 'Shift', 'F5', 'Alt+ArrowLeft'])(
  '%s is left to the browser',
  (written) => {
    expect(commandFor(press(written))).toBeUndefined()
  },
)

test.each([
  ['Ctrl+s', true],
  ['Cmd+S', true],
  ['s', false],
  ['Ctrl+a', false],
])('%s saves from a field: %s', (written, saves) => {
  expect(isSaveKey(press(written))).toBe(saves)
})
