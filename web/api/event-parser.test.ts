import { expect, test } from 'vitest'
import { EventParser } from './event-parser.ts'

const read = (pieces: readonly string[]) => {
  const parser = new EventParser()
  return pieces.flatMap((piece) => parser.push(piece)).map(({ id, event, data }) => [id, event, data])
}

const cases: [what: string, sent: string, events: string[][]][] = [
  ['an event with everything', 'id: 7\nevent: log\ndata: {"a":1}\n\n', [['7', 'log', '{"a":1}']]],
  [
    'lines that end in CRLF',
    'id: 7\r\nevent: log\r\ndata: a\r\n\r\ndata: b\r\n\r\n',
    [
      ['7', 'log', 'a'],
      ['7', 'message', 'b'],
    ],
  ],
  [
    'lines that end in CR',
    'event: log\rdata: a\r\rdata: b\r\r',
    [
      ['', 'log', 'a'],
      ['', 'message', 'b'],
    ],
  ],
  ['data of several lines', 'data: one\ndata:\ndata: three\n\n', [['', 'message', 'one\n\nthree']]],
  [
    'comments, and unknown fields',
    ': hello\n:\n\nretry: 10\nfoo: bar\ndata: a\n:\ndata: b\n\n',
    [['', 'message', 'a\nb']],
  ],
  ['a field without a colon', 'data\ndata\n\n', [['', 'message', '\n']]],
  [
    'one space behind the colon and no more is left out',
    'data:a\n\ndata: a\n\ndata:  a\n\n',
    [
      ['', 'message', 'a'],
      ['', 'message', 'a'],
      ['', 'message', ' a'],
    ],
  ],
  [
    'an id stays until the next',
    'id: 1\ndata: a\n\ndata: b\n\nid\ndata: c\n\n',
    [
      ['1', 'message', 'a'],
      ['1', 'message', 'b'],
      ['', 'message', 'c'],
    ],
  ],
  [
    'an id with NUL is none',
    'id: 1\ndata: a\n\nid: 2\0\ndata: b\n\n',
    [
      ['1', 'message', 'a'],
      ['1', 'message', 'b'],
    ],
  ],
  ['an event without data is none', 'event: log\n\ndata: a\n\n', [['', 'message', 'a']]],
  ['what is not complete', 'data: a\n\nid: 9\ndata: b\n', [['', 'message', 'a']]],
  ['an empty line alone', '\n\n\n', []],
  ['letters of every kind', 'data: Größe ½ 漢字 🚗\n\n', [['', 'message', 'Größe ½ 漢字 🚗']]],
]

test.each(cases)('%s', (_what, sent, events) => {
  expect(read([sent])).toEqual(events)
})

test.each(cases)('%s, cut into pieces at every place', (_what, sent, events) => {
  for (let cut = 0; cut <= sent.length; cut += 1) {
    expect(read([sent.slice(0, cut), '', sent.slice(cut)]), `cut at ${cut}`).toEqual(events)
  }
  expect(read([...sent])).toEqual(events)
})

test('an id counts with its event, not before: what was half said comes again', () => {
  const parser = new EventParser('4')
  expect(parser.push('id: 5\ndata: a\n\nid: 6\ndata: b').map(({ id, hasId }) => [id, hasId])).toEqual([
    ['5', true],
  ])
  expect(new EventParser('4').push('data: a\n\n').map(({ id, hasId }) => [id, hasId])).toEqual([['4', false]])
})
