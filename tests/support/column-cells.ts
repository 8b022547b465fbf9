import type { ImportField } from '#contract/csv/import-fields.ts'
import type { Random } from '#server/platform/seeded-random.ts'
import type { StockedPart, Yard } from './yard-stock.ts'

/* What the columns of a yard's file contain, each with the field that it is. */

export type ColumnLabel = ImportField | 'money' | 'code' | null

type Style = {
  money: 'plain' | 'dollar' | 'whole'
  /** "150.0000" */
  zeros: boolean
  capitals: boolean
}

export type Cell = { part: StockedPart; yard: Yard; style: Style; random: Random }
export type Writer = { label: ColumnLabel; write: (cell: Cell) => string | number }

const amount = (value: number, { style }: Cell): string => {
  if (style.zeros) return `${(Math.round(value * 100) / 100).toFixed(2)}00`
  if (style.money === 'whole') return String(Math.max(1, Math.round(value)))
  const text = value.toLocaleString('en-US', { minimumFractionDigits: 2, maximumFractionDigits: 2 })
  return style.money === 'dollar' ? `$${text}` : text.replaceAll(',', '')
}
const comma = (value: number) => value.toFixed(2).replace('.', ',')
const cased = (text: string, { style }: Cell) => (style.capitals ? text.toUpperCase() : text)
const two = (year: number) => String(year % 100).padStart(2, '0')
const counted = (value: number, { style }: Cell) => (style.zeros ? `${value}.0000` : value)
/** A part type's number in Hollander's book. */
const typeCode = (type: string) =>
  100 + ([...type].reduce((sum, sign) => (sum * 31 + sign.charCodeAt(0)) >>> 0, 7) % 590)
const dashed = (phone: string) => `${phone.slice(0, 3)}-${phone.slice(3, 6)}-${phone.slice(6)}`
const bracketed = (phone: string) => `(${phone.slice(0, 3)}) ${phone.slice(3, 6)}-${phone.slice(6)}`
const gradeWords = { A: 'Excellent', B: 'Good', C: 'Fair', D: 'Poor' } as const
const spanishGrades = { A: 'Excelente', B: 'Buena', C: 'Regular', D: 'Mala' } as const
const sides = (left: string, right: string) => (cell: Cell) => ({ L: left, R: right, '': '' })[cell.part.side]

const of =
  (label: ColumnLabel) =>
  (write: Writer['write']): Writer => ({ label, write })
const [stock, name, price, money, none, code] = [
  of('stocknum'),
  of('partname'),
  of('partprice'),
  of('money'),
  of(null),
  of('code'),
]
const [year, grade, miles, quantity, text] = [
  of('partyear'),
  of('partgrade'),
  of('partmiles'),
  of('partquantity'),
  of('partdescription'),
]

const SPANISH = [
  'Alternador',
  'Marcha',
  'Faro derecho',
  'Defensa delantera',
  'Cofre',
  'Salpicadera izquierda',
  'Espejo',
  'Radiador',
]
const GERMAN = [
  'Lichtmaschine',
  'Anlasser',
  'Scheinwerfer links',
  'Stoßstange vorn',
  'Motorhaube',
  'Kotflügel rechts',
  'Außenspiegel',
  'Kühler',
]
const FRENCH = [
  'Alternateur',
  'Démarreur',
  'Phare gauche',
  'Pare-chocs avant',
  'Capot',
  'Aile droite',
  'Rétroviseur',
  'Radiateur',
]
const one = (list: readonly string[]) => (cell: Cell) => cell.random.pick(list)

export const writers: Readonly<Record<string, Writer>> = {
  stock: stock(({ part }) => `T${24_000 + part.at}`),
  stockrun: stock(({ part }) => 41_200 + part.at),
  stockdash: stock(({ part }) => `C${1_001 + Math.floor(part.at / 5)}-${two(1 + (part.at % 5))}`),
  sku: stock(({ part }) => `SH-${part.itemId.slice(4, 9)}-${part.at}`),
  running: none(({ part }) => 1 + part.at),
  recordid: none(({ part }) => 880_123 + part.at),
  year: year(({ part }) => part.year),
  years: year(({ part }) => (part.lastYear > part.year ? `${part.year}-${part.lastYear}` : part.year)),
  shortyears: year(({ part }) => `${two(part.year)}-${two(part.lastYear)}`),
  lastyear: none(({ part }) => part.lastYear),
  make: of('partmanu')((cell) => cased(cell.part.make, cell)),
  model: of('partmodel')((cell) => cased(cell.part.model, cell)),
  trim: of('parttrim')(({ part }) => part.trim),
  vehicle: none((cell) => cased(`${cell.part.year} ${cell.part.make} ${cell.part.model}`, cell)),
  application: none((cell) =>
    cased(`${two(cell.part.year)}-${two(cell.part.lastYear)} ${cell.part.make} ${cell.part.model}`, cell),
  ),
  part: name((cell) => cased(`${cell.part.type}${{ L: ' LH', R: ' RH', '': '' }[cell.part.side]}`, cell)),
  alias: name((cell) => cased(cell.part.alias, cell)),
  title: name(({ part }) => part.title),
  pieza: name(one(SPANISH)),
  teil: name(one(GERMAN)),
  piece: name(one(FRENCH)),
  type: of('partcategory')((cell) => cased(cell.part.type, cell)),
  group: of('partcategory')(({ part }) => part.group),
  typecode: code(({ part }) => typeCode(part.type)),
  interchange: of('partinterchange')(({ part }) => `${typeCode(part.type)}-${part.interchange.slice(4)}`),
  oem: of('partnum')(({ part }) => part.oem),
  oemgaps: of('partnum')(({ part }) => (part.at % 3 === 0 ? '' : part.oem)),
  grade: grade(({ part }) => part.grade),
  gradeplus: grade(({ part }) => `${part.grade}${part.at % 4 === 0 ? '+' : ''}`),
  gradeword: grade(({ part }) => gradeWords[part.grade as 'A']),
  calidad: grade(({ part }) => spanishGrades[part.grade as 'A']),
  used: none(() => 'Used'),
  usedwords: none(({ part }) => (part.at % 9 === 0 ? 'Used - inspected' : 'Used')),
  regular: none(() => 'Regular'),
  default: none(() => 'Default Title'),
  miles: miles(({ part }) => part.miles),
  milescomma: miles(({ part }) => part.miles.toLocaleString('en-US')),
  milesk: miles(({ part }) => `${Math.round(part.miles / 1_000)}k`),
  thousands: miles(({ part }) => Math.round(part.miles / 1_000)),
  km: miles(({ part }) => Math.round(part.miles * 1.609)),
  price: price((cell) => amount(cell.part.price, cell)),
  preis: price(({ part }) => comma(part.price)),
  priceusd: price(({ part }) => `${part.price.toFixed(2)} USD`),
  pesos: price(
    ({ part }) => `$${(part.price * 18).toLocaleString('en-US', { minimumFractionDigits: 2 })} MXN`,
  ),
  list: money((cell) => amount(cell.part.price * 1.35, cell)),
  cost: money((cell) => amount(cell.part.price * 0.45, cell)),
  /** One price for all parts of a name. */
  byname: price((cell) => amount(5 * (1 + (typeCode(cell.part.type) % 23)) + 0.99, cell)),
  kosten2: money(({ part }) => comma(part.price * 1.4)),
  kosten: money(({ part }) => comma(part.price * 0.45)),
  wholesale: money((cell) => amount(cell.part.price * 0.75, cell)),
  regularprice: money((cell) => amount(cell.part.price * 1.2, cell)),
  cad: money((cell) => amount(cell.part.price * 1.39, cell)),
  minimum: money((cell) => amount(cell.part.price * 0.85, cell)),
  tax: money((cell) => amount(cell.part.price * 0.0825, cell)),
  core: of('corecharge')((cell) => amount(cell.part.core, cell)),
  coretext: of('corecharge')(({ part }) => `Core $${part.core}`),
  freight: of('partshipping')((cell) => amount(cell.part.freight, cell)),
  freightwords: of('partshipping')(({ part }) => (part.freight === 0 ? 'Free' : part.freight)),
  quantity: quantity((cell) => counted(cell.part.quantity, cell)),
  onhand: quantity((cell) => counted((cell.part.at * 7) % 5, cell)),
  reorder: none(({ part }) => part.at % 3),
  yesno: none(({ part }) => (part.at % 6 === 0 ? 'N' : 'Y')),
  /** Read as a quantity: “N” is not for sale. */
  available: quantity(({ part }) => (part.at % 6 === 0 ? 'N' : 'Y')),
  flag: none(({ part }) => Number(part.at % 8 !== 0)),
  online: none(({ part }) => (part.at % 8 === 0 ? 2 : 1)),
  truth: none(() => 'TRUE'),
  zero: none(() => 0),
  city: of('partcity')((cell) => cased(cell.yard.city, cell)),
  state: of('partstate')(({ yard }) => yard.state),
  zip: of('zipcode')(({ yard }) => yard.zip),
  buyerzip: none(({ random }) => String(random.whole(10_000, 99_899))),
  phone: of('dealerphone')(({ yard }) => dashed(yard.phone)),
  phonebracket: of('dealerphone')(({ yard }) => bracketed(yard.phone)),
  fax: none(({ yard }) => bracketed(yard.phone.replace(/..$/, '99'))),
  dealer: of('dealername')(({ yard }) => yard.name),
  buyer: none(({ random }) => random.pick(['Ray', 'Luis', 'Deb', 'counter', 'web'])),
  email: none(() => 'parts@yard.example'),
  vin: of('vin')(({ part }) => part.vin),
  vinend: of('vin')(({ part }) => part.vin.slice(-8)),
  color: none(({ part }) => part.color),
  bin: none(({ part }) => part.bin),
  row: none(({ part }) => part.bin.charAt(0)),
  date: none(({ part }) => part.dateIn),
  datesold: none(({ part }) => (part.at % 11 === 0 ? part.dateIn : '')),
  weight: none(({ part }) => part.weight),
  engine: none(({ part }) => part.engine),
  cylinders: none(({ part }) => part.cylinders),
  itemid: none(({ part }) => part.itemId),
  plates: none(({ part, random }) => `TXP-${two(part.at + 20)}-${random.whole(10, 99)}`),
  source: none(({ part }) => part.make.slice(0, 3).toUpperCase()),
  picture: of('imageUrl')(({ part }) => part.picture),
  page: none(({ part }) => `https://yard.example/parts/${part.at}`),
  finding: text(({ part }) => part.finding),
  findingshort: text(({ random }) =>
    random.pick(['', 'OK', 'small dent', 'tested good', 'has scratch', 'clean']),
  ),
  html: text(({ part }) => `<p>${part.finding}</p>`),
  observaciones: text(
    one(['Probado, funciona bien', '', 'Con detalles de pintura', 'Sin detalles', 'Incluye soporte']),
  ),
  bemerkung: text(
    one(['Geprüft, in Ordnung', '', 'kleiner Kratzer', 'mit Halter', 'ohne Glas, sonst gut erhalten']),
  ),
  remarques: text(one(['Testé, bon état', '', 'petite rayure', 'avec support', 'sans ampoule, sinon bon'])),
  person: none(one(['Ray Alvarez', 'Deb Ortiz', 'Luis', 'Chris Wu', 'Pat'])),
  supplier: none(one(['Bosch', 'Denso', 'Delphi', 'Valeo', 'Dorman', 'Aisin'])),
  usedmix: none(({ part }) => (part.at % 4 === 0 ? 'New' : 'Used')),
  titlestatus: none(one(['Clean', 'Salvage', 'Salvage', 'Rebuilt'])),
  yardcode: none(one(['Y1', 'Y2', 'Y7'])),
  grade2: none(one(['P1', 'P2', 'S3'])),
  cadalone: price((cell) => amount(cell.part.price * 1.39, cell)),
  internal2: none(() => 'Parts Income'),
  typeword2: none(({ part }) => (part.at % 2 === 0 ? 'ENG' : 'TRN')),
  title2: none(({ part }) => `${part.type} for sale | Main Street Salvage`),
  internal: none(({ part }) => `Check shelf ${part.at % 7} before it goes out, ask the counter`),
  side: of('partside')(sides('LH', 'RH')),
  sideword: of('partside')(sides('Left', 'Right')),
  sidecode: of('partside')(({ part }) => part.side || 'N'),
  lado: of('partside')(sides('Izquierdo', 'Derecho')),
  seite: of('partside')(sides('links', 'rechts')),
  cote: of('partside')(sides('G', 'D')),
  status: none(({ part }) => 'HAAASAAAA'.charAt(part.at % 9)),
  statusword: none(({ part }) => (part.at % 9 === 0 ? 'On Hold' : 'Available')),
  active: none(({ part }) => (part.at % 9 === 0 ? 'draft' : 'active')),
  dollars: none(() => 'USD'),
  damage: of('damagecode')(({ random }) => random.pick(['000', '000', '1S1', '5P1', '2D1'])),
  warranty: of('warrantydays')(({ random }) => random.pick([30, 90, 90, 180])),
  warrantyword: of('warrantydays')(() => '6 mo'),
  visited: none(({ random }) => random.whole(0, 400)),
  typeword: none(() => 'simple'),
  wordmake: none(() => 'Make'),
  wordmodel: none(() => 'Model'),
  wordyear: none(() => 'Year'),
  handle: none(({ part }) => `${part.type.toLowerCase().replaceAll(/\W+/g, '-')}-${part.at}`),
  tags: none(({ part }) => `${part.make}, ${part.model}, used`),
  path: of('partcategory')(({ part }) => `Parts > ${part.group} > ${part.type}`),
  plain: none(({ part }) => `additional=${part.color},lot=${part.at}`),
}
