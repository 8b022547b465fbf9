import type { Maker } from './makers.ts'
import { seededRandom } from './random.ts'

/**
 * The part of a number that names the kind of part in a maker's system, the same on all its cars: Toyota's alternators
 * are 27060, Ford's 10346. Two roots are right and left.
 */
type System = 'toyota' | 'honda' | 'nissan' | 'korean' | 'ford' | 'volkswagen' | 'bmw'
type Roots = Partial<Record<System, string>>

const known: Record<string, Roots> = {
  Alternator: roots('27060', '31100', '23100', '37300', '10346', '903', '1231'),
  'Starter Motor': roots('28100', '31200', '23300', '36100', '11002', '911', '1241'),
  'Headlamp Assembly': roots(
    '81110 81150',
    '33100 33150',
    '26010 26060',
    '92102 92101',
    '13008',
    '941',
    '6311',
  ),
  'Tail Lamp Assembly': roots(
    '81550 81560',
    '33500 33550',
    '26550 26555',
    '92402 92401',
    '13404 13405',
    '945',
    '6321',
  ),
  'Door Mirror': roots(
    '87910 87940',
    '76208 76258',
    '96301 96302',
    '87620 87610',
    '17682 17683',
    '857',
    '5116',
  ),
  'Engine Control Module': roots('89661', '37820', '23710', '39110', '12A650', '906', '1214'),
  Radiator: roots('16400', '19010', '21410', '25310', '8005', '121', '1711'),
  'A/C Compressor': roots('88320', '38810', '92600', '97701', '19703', '820', '6452'),
  'Alloy Wheel': roots('42611', '42700', '40300', '52910', '1007', '601', '3611'),
  Hood: roots('53301', '60100', '65100', '66400', '16612', '823', '4161'),
  Fender: roots('53801 53802', '60211 60261', '63100 63101', '66320 66310', '16005 16006', '821', '4135'),
  'Instrument Cluster': roots('83800', '78100', '24810', '94001', '10849', '920', '6211'),
  Radio: roots('86120', '39100', '28185', '96160', '19C107', '035', '6512'),
  'Brake Caliper': roots(
    '47730 47750',
    '45018 45019',
    '41001 41011',
    '58190 58180',
    '2B120 2B121',
    '615',
    '3411',
  ),
  'ABS Pump': roots('44050', '57110', '47660', '58920', '2C405', '614', '3451'),
  Strut: roots('48510 48520', '51605 51606', '54302 54303', '54660 54650', '18124', '413', '3131'),
  'Window Regulator': roots(
    '69810 69820',
    '72210 72250',
    '80720 80721',
    '82404 82403',
    '23200 23201',
    '837',
    '5133',
  ),
  'Throttle Body': roots('22030', '16400', '16119', '35100', '9E926', '133', '1354'),
  'Fuel Pump': roots('77020', '17045', '17040', '31110', '9H307', '919', '1611'),
  'Steering Wheel Air Bag': roots('45130', '77810', '98510', '56900', '043B13', '880', '3230'),
}

function roots(...list: [string, string, string, string, string, string, string]): Roots {
  const [toyota, honda, nissan, korean, ford, volkswagen, bmw] = list
  return { toyota, honda, nissan, korean, ford, volkswagen, bmw }
}

/** Where a group stands in the makers' systems: Toyota's leading two digits, Ford's, Volkswagen's, BMW's. */
const groups: Record<string, readonly [five: string, ford: string, volkswagen: string, bmw: string]> = {
  Engine: ['11', '6', '103', '11'],
  'Transmission & Drivetrain': ['33', '7', '300', '24'],
  Electrical: ['82', '14', '905', '12'],
  Lighting: ['81', '13', '941', '63'],
  'Body Panels': ['61', '16', '809', '41'],
  'Bumpers & Grilles': ['52', '17', '807', '51'],
  'Doors & Glass': ['67', '20', '837', '51'],
  Mirrors: ['87', '17', '857', '51'],
  Interior: ['55', '04', '858', '51'],
  'Seats & Restraints': ['71', '62', '881', '52'],
  'Suspension & Steering': ['48', '3', '407', '31'],
  Brakes: ['47', '2', '615', '34'],
  'Wheels & Tires': ['42', '1', '601', '36'],
  'Cooling & Heating': ['16', '8', '121', '17'],
  'Exhaust & Emissions': ['17', '5', '253', '18'],
  'Fuel & Air Intake': ['22', '9', '133', '13'],
  'Electronics & Modules': ['89', '19', '907', '61'],
  'Wipers & Washers': ['85', '17', '955', '61'],
  'Truck & Towing': ['65', '99', '827', '71'],
  'Hybrid & Electric Drive': ['G9', '10', '915', '61'],
}

/** The root for a part in a maker's system; where we know none, one of the right place that stays the same. */
export function partRoots(maker: Maker, part: { type: string; group: string; detail: string }): string {
  const system = systemOf(maker)
  const [right, left] = known[part.type]?.[system]?.split(' ') ?? []
  if (right) return left && part.detail.includes('left') ? left : right
  const random = seededRandom(`${system} ${part.type} ${part.detail}`)
  const [five, ford, volkswagen, bmw] = groups[part.group] ?? ['90', '9', '800', '51']
  const fill = (start: string, length: number) =>
    start + Array.from({ length: length - start.length }, () => random.whole(0, 9)).join('')
  if (maker === 'mazda') return fill(five, 2)
  if (maker === 'mercedes') return fill(bmw, 3)
  if (system === 'ford') return fill(ford, ford.length > 1 ? 5 : 4)
  if (system === 'volkswagen') return volkswagen
  return fill(system === 'bmw' ? bmw : five, system === 'bmw' ? 4 : 5)
}

function systemOf(maker: Maker): System {
  if (maker === 'honda' || maker === 'nissan' || maker === 'korean' || maker === 'ford') return maker
  if (maker === 'volkswagen') return 'volkswagen'
  return maker === 'bmw' || maker === 'mercedes' ? 'bmw' : 'toyota'
}
