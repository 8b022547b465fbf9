import type { DonorVehicle } from './donor-vehicle.ts'
import type { Condition } from './part-condition.ts'
import type { Random } from './random.ts'

// True of every part of the group, whatever it is: a mirror's glass, a bracket, a whole assembly.
const checks: Record<string, readonly string[]> = {
  Engine: ['The donor was heard running.', 'Compression of the donor was even on all cylinders.'],
  'Transmission & Drivetrain': [
    'The donor drove in under its own power.',
    'Checked for play before removal.',
  ],
  Electrical: ['Tested before it came off the car.', 'All pins straight and clean.'],
  Lighting: ['All tabs present.', 'Tested on 12 volts.', 'Kept wrapped on the shelf.'],
  'Body Panels': ['From a car hit on the other end.', 'No filler found.', 'Straight and dry.'],
  'Bumpers & Grilles': ['Mounting tabs checked.', 'No cracks found.'],
  'Doors & Glass': ['Worked as it should before removal.', 'From the good side of the car.'],
  Mirrors: ['Glass is clear.', 'Mount and cover are intact.'],
  Interior: ['From a clean, non-smoking car.', 'All clips present.', 'Wiped down, no odor.'],
  'Seats & Restraints': ['From a car without air bag deployment.', 'Clean, from a dry car.'],
  'Suspension & Steering': ['Checked for play before removal.', 'From a car hit on the other end.'],
  Brakes: ['Moves freely.', 'Hardware as it came off the car.'],
  'Wheels & Tires': ['Checked for bends and cracks.', 'Washed and looked over.'],
  'Cooling & Heating': ['Worked as it should before removal.', 'Checked for leaks and cracks.'],
  'Exhaust & Emissions': ['No holes found.', 'Flanges and studs are good.'],
  'Fuel & Air Intake': ['Cleaned and checked for cracks.', 'The donor ran well.'],
  'Electronics & Modules': ['Worked as it should before removal.', 'May need programming to the new car.'],
  'Wipers & Washers': ['Tested on 12 volts.', 'Worked as it should before removal.'],
  'Truck & Towing': ['No rust through.', 'Hardware as it came off the truck.'],
  'Hybrid & Electric Drive': ['Read out before removal.', 'Removed by a certified technician.'],
}

const service = [
  'Cleaned, tagged and stored indoors.',
  '90-day exchange warranty.',
  '30-day warranty, labor not included.',
  'Ships within one business day.',
  'Call with your VIN if you are not sure that it fits.',
  'Please compare the part number with yours.',
  'Pickup at the yard is welcome.',
]

/** A few sentences as a counterman would type them; every fact in them stands in the listing's fields too. */
export function describePart(
  part: { name: string; group: string },
  vehicle: DonorVehicle,
  condition: Condition,
  random: Random,
): string {
  const { manufacturer, model, year } = vehicle
  const opening = random.pick([
    `${part.name} from a ${year} ${manufacturer} ${model}.`,
    `Removed from a ${year} ${manufacturer} ${model} with ${condition.miles.toLocaleString('en-US')} miles.`,
    `Used ${lowerFirst(part.name)}, original equipment, from a ${year} ${manufacturer} ${model}.`,
  ])
  const wear = condition.damage === 'None' ? '' : `${condition.damage}.`
  // What is worn or broken speaks for itself; praise beside it would sound false.
  const isGood = condition.grade === 'A' || condition.grade === 'B'
  const check = isGood ? random.pick(checks[part.group] ?? ['Checked before removal.']) : ''
  const closing = random.chance(0.75) ? random.pick(service) : ''
  return [opening, check, wear, closing].filter((sentence) => sentence !== '').join(' ')
}

/** Abbreviations keep their capitals: "A/C compressor", "ABS pump". */
function lowerFirst(name: string): string {
  return /^[A-Z][a-z]/.test(name) ? name.charAt(0).toLowerCase() + name.slice(1) : name
}
