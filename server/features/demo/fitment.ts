import type { DemoPart, Need } from './demo-parts.ts'
import type { DonorVehicle } from './donor-vehicle.ts'

const ELECTRIC_MAKERS = /^(Tesla|Rivian|Lucid|Polestar|Fisker|VinFast)$/
const ELECTRIC_MODELS =
  /\bEV\d?\b|Bolt|LEAF|e-tron|ID\.|IONIQ|Electric|Lightning|E-Transit|MACH-E|e-Golf|\bi3\b|\bi[457X]|500e|EQ[BES]|Taycan|I-PACE|Recharge|bZ4X|Solterra|Ariya|LYRIQ|OPTIQ|Vistiq|Celestiq|Prologue|i-MiEV|EX[39]0|eSprinter|RZ$|GV60|\bREV\b/
const HYBRID_MODELS =
  /Hybrid|Prius|Prime|Plug-in|Energi|4xe|PHEV|^Insight$|^CR-Z$|^Volt$|^CT$|^Niro|ELR|Clarity/
const DIESEL_MODELS = /(2500|3500|F250|F350|F450) ?/

const has = (...styles: string[]) =>
  function hasStyle({ bodyStyles }: DonorVehicle): boolean {
    return bodyStyles.some((style) => styles.includes(style))
  }
const isElectric = ({ manufacturer, model }: DonorVehicle) =>
  ELECTRIC_MAKERS.test(manufacturer) || ELECTRIC_MODELS.test(model)
const twoDoors = /Regular Cab|Single Cab|2 Door|Coupe|Miata/

const rules: Record<Need, (vehicle: DonorVehicle) => boolean> = {
  any: () => true,
  engine: (vehicle) => !isElectric(vehicle),
  automatic: (vehicle) => !isElectric(vehicle),
  electric: isElectric,
  hybrid: (vehicle) => !isElectric(vehicle) && HYBRID_MODELS.test(vehicle.model),
  diesel: ({ model }) => DIESEL_MODELS.test(model),
  pickup: has('Pickup'),
  'four-by-four': (vehicle) => has('Pickup', 'SUV')(vehicle) && !isElectric(vehicle),
  'four-doors': (vehicle) =>
    !twoDoors.test(vehicle.model) && has('Sedan', 'SUV', 'Wagon', 'Pickup', 'Hatchback')(vehicle),
  'sliding-door': has('Van/Minivan'),
  trunk: has('Sedan', 'Coupe'),
  hatch: has('SUV', 'Hatchback', 'Wagon', 'Van/Minivan'),
  'soft-top': has('Convertible'),
  'third-row': has('Van/Minivan', 'SUV'),
}

/** Does a car of this kind and year have such a part? Coarse on purpose: demo data must be believable, not a catalogue. */
export function fits(part: DemoPart, vehicle: DonorVehicle): boolean {
  const [from, to] = part.years
  return vehicle.year >= from && vehicle.year <= to && rules[part.needs](vehicle)
}
