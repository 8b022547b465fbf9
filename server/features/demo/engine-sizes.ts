import type { DonorVehicle } from './donor-vehicle.ts'
import { type Maker, makerOf } from './makers.ts'

/** What commonly stands under the hood, `;` between; for other models the maker's usual sizes. */
const ofModels: readonly (readonly [manufacturer: string, model: string, sizes: string])[] = [
  ['Ford', 'F150', '3.5L V6;4.6L V8;5.0L V8;5.4L V8'],
  ['Ford', 'F250', '6.2L V8;6.7L V8 diesel'],
  ['Ford', 'Explorer', '3.5L V6;4.0L V6'],
  ['Ford', 'Escape', '1.6L;2.5L;3.0L V6'],
  ['Ford', 'Fusion', '1.5L;2.0L;2.5L'],
  ['Ford', 'Focus', '2.0L'],
  ['Ford', 'Mustang', '3.7L V6;4.6L V8;5.0L V8'],
  ['Chevrolet', 'Silverado', '4.3L V6;4.8L V8;5.3L V8;6.0L V8'],
  ['Chevrolet', 'Malibu', '1.5L;2.4L;2.5L'],
  ['Chevrolet', 'Impala', '3.5L V6;3.6L V6'],
  ['Chevrolet', 'Cruze', '1.4L'],
  ['Chevrolet', 'Equinox', '1.5L;2.4L;3.6L V6'],
  ['Chevrolet', 'Tahoe', '5.3L V8'],
  ['GMC', 'Sierra', '4.8L V8;5.3L V8;6.0L V8'],
  ['Dodge', 'Ram', '4.7L V8;5.7L V8'],
  ['Ram', '1500', '3.6L V6;5.7L V8'],
  ['Dodge', 'Grand Caravan', '3.3L V6;3.6L V6'],
  ['Dodge', 'Charger', '3.6L V6;5.7L V8'],
  ['Jeep', 'Grand Cherokee', '3.6L V6;4.0L;4.7L V8'],
  ['Jeep', 'Wrangler', '3.6L V6;3.8L V6;4.0L'],
  ['Toyota', 'Camry', '2.4L;2.5L;3.5L V6'],
  ['Toyota', 'Corolla', '1.8L'],
  ['Toyota', 'RAV4', '2.4L;2.5L'],
  ['Toyota', 'Tacoma', '2.7L;3.5L V6;4.0L V6'],
  ['Toyota', 'Tundra', '4.7L V8;5.7L V8'],
  ['Toyota', 'Sienna', '3.3L V6;3.5L V6'],
  ['Toyota', 'Prius', '1.5L;1.8L'],
  ['Honda', 'Accord', '1.5L;2.4L;3.5L V6'],
  ['Honda', 'Civic', '1.5L;1.8L;2.0L'],
  ['Honda', 'CR-V', '1.5L;2.4L'],
  ['Honda', 'Odyssey', '3.5L V6'],
  ['Honda', 'Pilot', '3.5L V6'],
  ['Honda', 'Fit', '1.5L'],
  ['Nissan', 'Altima', '2.5L;3.5L V6'],
  ['Nissan', 'Sentra', '1.8L;2.0L'],
  ['Nissan', 'Rogue', '2.5L'],
  ['Nissan', 'Versa', '1.6L;1.8L'],
  ['Hyundai', 'Sonata', '2.0L;2.4L'],
  ['Hyundai', 'Elantra', '1.8L;2.0L'],
  ['Kia', 'Soul', '1.6L;2.0L'],
  ['Subaru', 'Outback', '2.5L;3.6L'],
  ['Volkswagen', 'Jetta', '1.4L;1.8L;2.0L;2.5L'],
]

type Usual = { truck: string; car: string }

const ofMakers: Partial<Record<Maker, Usual>> = {
  toyota: { truck: '4.0L V6', car: '2.5L;3.5L V6' },
  honda: { truck: '3.5L V6', car: '2.4L;3.5L V6' },
  nissan: { truck: '4.0L V6;5.6L V8', car: '2.5L;3.5L V6' },
  subaru: { truck: '2.5L', car: '2.0L;2.5L' },
  korean: { truck: '2.5L', car: '2.0L;2.4L;3.3L V6' },
  ford: { truck: '2.3L;3.0L V6;4.0L V6', car: '2.0L;2.5L;3.5L V6' },
  gm: { truck: '3.6L V6;5.3L V8', car: '2.4L;3.6L V6' },
  chrysler: { truck: '3.7L V6;4.7L V8', car: '2.4L;3.6L V6' },
  bmw: { truck: '3.0L', car: '2.0L;2.5L;3.0L' },
  mercedes: { truck: '3.0L V6', car: '2.0L;3.5L V6' },
  volkswagen: { truck: '3.0L V6', car: '2.0L;3.0L V6' },
  volvo: { truck: '2.5L', car: '2.0L;2.5L' },
}
const usual: Usual = { truck: '3.5L V6', car: '2.0L;2.4L' }

export function engineSizes({ manufacturer, model, bodyStyles }: DonorVehicle): string[] {
  const own = ofModels.find(([maker, name]) => maker === manufacturer && model.startsWith(name))
  const { truck, car } = ofMakers[makerOf(manufacturer)] ?? usual
  const sizes = own?.[2] ?? (bodyStyles.includes('Pickup') ? truck : car)
  return sizes.split(';')
}
