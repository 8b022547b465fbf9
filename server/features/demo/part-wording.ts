import type { DemoPart, Detail } from './demo-parts.ts'
import type { DonorVehicle } from './donor-vehicle.ts'
import { engineSizes } from './engine-sizes.ts'
import { type Maker, makerOf } from './makers.ts'
import type { Random } from './random.ts'

const paints = 'white;black;silver;gray;red;blue;dark blue;gold;green;charcoal'.split(';')

const isTruck = ({ bodyStyles }: DonorVehicle) => bodyStyles.includes('Pickup')

const details: Record<Detail, (vehicle: DonorVehicle, random: Random) => string> = {
  none: () => '',
  side: (_, random) => `, ${random.pick(['left', 'right'])}`,
  corner: (_, random) =>
    `, ${random.pick(['left front', 'right front', 'left front', 'right front', 'left rear', 'right rear'])}`,
  ends: (_, random) => `, ${random.pick(['front', 'rear'])}`,
  amps: (_, random) => ` ${random.pick([80, 90, 100, 110, 120, 130, 130, 150, 160, 180])}A`,
  engine: (vehicle, random) => ` ${random.pick(engineSizes(vehicle))}`,
  inches: (vehicle, random) =>
    ` ${random.pick(isTruck(vehicle) ? [16, 17, 17, 18, 20] : [15, 16, 16, 17, 17, 18, 19])} in`,
  colour: (_, random) => `, ${random.pick(paints)}`,
  drive: (vehicle, random) => {
    if (isTruck(vehicle)) return `, ${random.pick(['4WD', 'RWD'])}`
    return vehicle.bodyStyles.includes('SUV') ? `, ${random.pick(['AWD', 'FWD'])}` : ''
  },
}

/** What distinguishes this piece from others of its type: "130A", "left front", "3.5L V6"; may be empty. */
export type Wording = { name: string; detail: string }

/** The name a seller gives a part: "Alternator 130A", "Headlamp, left". */
export function wordPart(part: DemoPart, vehicle: DonorVehicle, random: Random): Wording {
  const detail = details[part.detail](vehicle, random)
  return { name: `${part.title}${detail}`, detail: detail.replace(/^,? /, '') }
}

const trims: Partial<Record<Maker, string>> = {
  toyota: 'L;LE;SE;XLE;Limited',
  honda: 'LX;EX;EX-L;Sport;Touring',
  nissan: 'S;SV;SL;SR',
  subaru: 'Base;Premium;Limited;Touring',
  mazda: 'Sport;Touring;Grand Touring',
  korean: 'GLS;SE;SEL;Limited;LX;EX',
  ford: 'S;SE;SEL;Titanium;Limited',
  gm: 'LS;LT;LTZ;Premier;SLE;SLT',
  chrysler: 'SE;SXT;SLT;Limited;Laredo',
  volkswagen: 'S;SE;SEL;Premium',
}

export function trimOf(vehicle: DonorVehicle, random: Random): string {
  if (makerOf(vehicle.manufacturer) === 'ford' && isTruck(vehicle))
    return random.pick(['XL', 'XLT', 'Lariat'])
  return random.pick((trims[makerOf(vehicle.manufacturer)] ?? 'Base').split(';'))
}
