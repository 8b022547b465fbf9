import { expect, test } from 'vitest'
import { type Course, drawCourses, isFlat } from './soak-picture.ts'

const of = (values: number[]): Course => ({
  name: 'memory',
  unit: 'MB',
  values,
  mayGrow: { share: 0.1, by: 5 },
})
const hundred = (value: (at: number) => number) => Array.from({ length: 100 }, (_, at) => value(at))

test('what fills up at first and has bursts is flat; what goes on growing is not', () => {
  expect(isFlat(of(hundred((at) => (at < 20 ? at : 100))))).toBe(true)
  expect(isFlat(of(hundred((at) => (at % 10 === 0 ? 900 : 100))))).toBe(true)
  expect(isFlat(of(hundred((at) => 100 + at)))).toBe(false)
  const { mayGrow: _, ...free } = of(hundred((at) => at))
  expect(isFlat(free)).toBe(true)
})

test('courses of a unit share a panel, from 0 to their highest value', () => {
  const picture = drawCourses([of([10, 20]), { ...of([40, 0]), name: 'other' }], {
    title: 'Soak',
    minutes: 2,
  })
  expect(picture.match(/<polyline/g)).toHaveLength(2)
  expect(picture.match(/>40 MB</g)).toHaveLength(1)
  expect(picture).toContain('points="90.0,108.5 740.0,91.0"')
})
