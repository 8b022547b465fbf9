import { expect, test } from 'vitest'
import { mileUnit } from './mile-units.ts'

test.each([
  ['Miles', ['98213', '60145'], undefined],
  ['Mileage (km)', ['160000'], 'kilometers'],
  ['Kilometraje', ['298099'], 'kilometers'],
  ['Odometer_km', ['98213'], 'kilometers'],
  ['odometerKm', ['98213'], 'kilometers'],
  ['Kilométrage', ['98 213'], 'kilometers'],
  ['km', ['160', '98', '211', ''], 'thousand kilometers'],
  ['Miles (km)', ['98213'], undefined],
  ['Miles', ['60', '44', '187', '0', 'TMU'], 'thousands'],
  ['Miles', ['60', '44k', '187', '12'], 'thousands'],
  ['Miles', ['60', '44,120', '187', '12'], undefined],
  ['Miles', ['60', '44', '401'], undefined],
  ['Miles', ['60', '44'], undefined],
  ['Miles (000)', ['60'], 'thousands'],
  ['Miles x1000', ['60'], 'thousands'],
  ['K Miles', ['60'], 'thousands'],
  ['Miles', ['exempt', '', '-'], undefined],
])('%s with %j is in %s', (header, values, unit) => expect(mileUnit(header, values)).toBe(unit))
