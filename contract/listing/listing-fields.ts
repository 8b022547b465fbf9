/**
 * Every field of a listing, declared once. Rules, request body, reply, columns, import, exports, history, bulk grid and
 * form inputs follow from this table; CONTRIBUTING.md says how to add a field. The order is that of the forms.
 */

export const listingKinds = ['ecommerce', 'quick'] as const
export type ListingKind = (typeof listingKinds)[number]

/** Sections of the listing forms. */
export type FormSection = 'part' | 'vehicle' | 'price' | 'seller' | 'records'

type FieldSpec = {
  /** In sentences, history and forms. */
  label: string
  /** In the e-commerce form, where the spec calls it something else. */
  formLabel?: string
  /**
   * Text, code and long text are one text column, read and written as typed: they need nothing besides this table. A code
   * is one that spreadsheets like to round. Every other type has code of its own wherever it is read or written.
   */
  type:
    | 'text'
    | 'code'
    | 'long text'
    | 'lookup'
    | 'year'
    | 'price'
    | 'shipping'
    | 'count'
    | 'coordinate'
    | 'address'
  /** Of a text; null where it is empty, unless the column is `notNull`. */
  column?: string
  notNull?: true
  /** Kept in capitals. */
  upper?: true
  /** Checked for profanity. */
  clean?: true
  /** Most characters; 100 where nothing is said. */
  longest?: number
  /** Who reads a text: `inside` is its seller and admins; phones are also public where the seller says so. Else everyone. */
  read?: 'inside' | 'phones'
  /** Its name in a listing's reply, where that is not the field's. */
  reply?: string
  /** Listings that have it in their form. Without any it is in no request: scripts and imports write it. */
  forms: readonly ListingKind[]
  /** Other names it may have in a request. */
  also?: readonly string[]
  /** A text's input that the form adds to a section by itself; the others have their place in `form-sections.tsx`. */
  input?: { section: FormSection; hint?: string; adminHint?: string; maxLength?: number }
  /** The part's page adds it to its facts by itself. */
  fact?: true
  /** The next part off the same car has the same. */
  sameCar?: true
  /** A copy of the listing starts without it. */
  ownToEach?: true
  /** Whether a bulk edit may change it; with a width it has a column in the grid. */
  bulk?: { label?: string; width?: number }
  /** In files that are imported and exported, and in staged records. `names` are lower case letters and digits alone. */
  file?: {
    name?: string
    label?: string
    /** Names of yard systems for the column, as a whole, with spaces between them. */
    names?: string
    /** Words to look for in a column's name. */
    words?: string
    /** Other names in mappings and defaults. */
    also?: readonly string[]
    /** Scripts and people write it, or a part is found by it: an empty cell does not take it away. */
    lasting?: true
  }
}

const BOTH = ['ecommerce', 'quick'] as const

export const listingFields = {
  partname: {
    label: 'Title',
    formLabel: 'Part name',
    type: 'text',
    column: 'name',
    notNull: true,
    clean: true,
    longest: 160,
    forms: BOTH,
    bulk: { label: 'Name', width: 184 },
    file: {
      label: 'Part name',
      names: 'part name title parttype partstype itemtitle',
      words: 'title',
    },
  },
  partcategoryId: {
    label: 'Category',
    type: 'lookup',
    forms: BOTH,
    also: ['partcategory'],
    file: {
      name: 'partcategory',
      names: 'partgroup group cat parttype partstype categoryname',
      words: 'category',
    },
  },
  partnum: {
    label: 'Part Number',
    formLabel: 'Part number',
    type: 'code',
    column: 'part_number',
    longest: 60,
    forms: BOTH,
    bulk: { label: 'Part #', width: 128 },
    file: {
      label: 'Part number',
      names:
        'partno oem oemnum oemnumber oemno oempartno oempartnum oempartnumber interchange interchangenumber mpn manufacturerpartnumber',
      words: 'partnumber partno oem',
    },
  },
  partgrade: {
    label: 'Grade',
    type: 'text',
    column: 'grade',
    upper: true,
    forms: BOTH,
    bulk: { width: 68 },
    file: { names: 'condition cond quality', words: 'grade condition' },
  },
  partdescription: {
    label: 'Description',
    type: 'long text',
    column: 'description',
    notNull: true,
    clean: true,
    longest: 10_000,
    forms: BOTH,
    also: ['partdesc'],
    bulk: { label: 'Product Description' },
    file: {
      names: 'desc longdescription bodyhtml notes comments details itemdescription remarks',
      words: 'desc',
      lasting: true,
    },
  },
  partdamage: {
    label: 'Damage',
    type: 'long text',
    column: 'damage',
    longest: 500,
    forms: ['quick'],
    bulk: {},
  },
  partyear: {
    label: 'Year',
    type: 'year',
    forms: BOTH,
    sameCar: true,
    bulk: { width: 60 },
    file: {
      names: 'modelyear vehicleyear yearfrom yr caryear startyear',
      words: 'year',
    },
  },
  partmanuId: {
    label: 'Manufacturer',
    type: 'lookup',
    forms: BOTH,
    also: ['partmanu'],
    sameCar: true,
    file: {
      name: 'partmanu',
      names: 'make vehiclemake carmake partmanuname manu mfr',
      words: 'manufacturer make',
      also: ['partmanuname'],
    },
  },
  partmanuname: {
    label: 'Manufacturer name',
    type: 'lookup',
    longest: 80,
    forms: BOTH,
    sameCar: true,
  },
  partmodel: {
    label: 'Model',
    type: 'lookup',
    longest: 80,
    forms: BOTH,
    sameCar: true,
    bulk: { width: 112 },
    file: { names: 'vehiclemodel carmodel', words: 'model' },
  },
  partmodelId: { label: 'ModelId', type: 'lookup', forms: BOTH, sameCar: true },
  parttrim: {
    label: 'Trim',
    type: 'text',
    column: 'trim_name',
    longest: 80,
    forms: ['quick'],
    sameCar: true,
    bulk: { width: 104 },
    file: { names: 'trimlevel submodel', words: 'trim', also: ['trim'] },
  },
  partmiles: {
    label: 'Miles',
    type: 'count',
    forms: ['quick'],
    sameCar: true,
    bulk: { width: 96 },
    file: { names: 'mileage odometer', words: 'mileage miles odometer', also: ['miles'] },
  },
  partprice: {
    label: 'Price',
    type: 'price',
    forms: BOTH,
    bulk: { width: 88 },
    file: {
      names: 'retail retailprice saleprice sellprice listprice startprice',
      words: 'price',
    },
  },
  partshipping: {
    label: 'Shipping',
    type: 'shipping',
    forms: ['ecommerce'],
    sameCar: true,
    bulk: { width: 104 },
    file: {
      names: 'shippingcost freight delivery shippingprice',
      words: 'shipping freight',
    },
  },
  partquantity: {
    label: 'Quantity',
    type: 'count',
    forms: BOTH,
    bulk: { width: 88 },
    file: {
      names: 'qty onhand quantityavailable availablequantity',
      words: 'quantity qty',
      also: ['quantity'],
    },
  },
  partcity: {
    label: 'City',
    type: 'text',
    column: 'city',
    notNull: true,
    longest: 80,
    forms: BOTH,
    sameCar: true,
    bulk: { width: 120 },
    file: { names: 'town yardcity', words: 'city' },
  },
  partstate: {
    label: 'State',
    type: 'text',
    column: 'state',
    notNull: true,
    longest: 40,
    forms: BOTH,
    sameCar: true,
    bulk: { width: 72 },
    file: { names: 'st yardstate province region', words: 'state' },
  },
  zipcode: {
    label: 'Zipcode',
    type: 'text',
    column: 'zip',
    forms: BOTH,
    sameCar: true,
    bulk: { width: 88 },
    file: { names: 'zip postalcode postcode', words: 'postal zip', also: ['zip'] },
  },
  latitude: { label: 'Latitude', type: 'coordinate', forms: ['quick'], sameCar: true },
  longitude: { label: 'Longitude', type: 'coordinate', forms: ['quick'], sameCar: true },
  dealername: {
    label: 'Dealer/Contact',
    formLabel: 'Dealer name',
    type: 'text',
    column: 'dealer_name',
    notNull: true,
    longest: 120,
    forms: BOTH,
    also: ['partdealer'],
    sameCar: true,
    bulk: { label: 'Dealer', width: 140 },
    file: {
      label: 'Dealer',
      names: 'seller sellername yard yardname company vendor',
      words: 'dealer seller',
    },
  },
  dealerphone: {
    label: 'Phone (primary)',
    formLabel: 'Phone',
    type: 'code',
    column: 'dealer_phone',
    longest: 40,
    read: 'phones',
    forms: BOTH,
    also: ['phonea'],
    sameCar: true,
    bulk: { label: 'Phone', width: 128 },
    file: {
      label: 'Phone',
      names: 'tel telephone phonenumber phoneno',
      words: 'phone tel',
    },
  },
  phoneb: {
    label: 'Phone (second)',
    type: 'code',
    column: 'phone_b',
    longest: 40,
    read: 'phones',
    forms: ['quick'],
    sameCar: true,
  },
  stocknum: {
    label: 'Stock number',
    type: 'code',
    column: 'stock_number',
    longest: 60,
    read: 'inside',
    forms: BOTH,
    ownToEach: true,
    input: {
      section: 'records',
      hint: 'Your own number of the part',
      adminHint: 'The seller’s own number of the part',
    },
    fact: true,
    bulk: { width: 120 },
    file: {
      names: 'stock stockno sku tag tagnumber inventorynumber inventoryid customlabel customlabelsku',
      words: 'stock',
      lasting: true,
    },
  },
  vin: {
    label: 'VIN',
    type: 'code',
    column: 'vin',
    upper: true,
    longest: 17,
    read: 'inside',
    forms: BOTH,
    sameCar: true,
    input: { section: 'records', hint: 'Of the car it came from', maxLength: 17 },
    fact: true,
    file: { names: 'vinnumber vehicleidentificationnumber', also: ['VIN'] },
  },
  partslug: { label: 'Friendly address', type: 'address', longest: 120, forms: BOTH, ownToEach: true },
  /** The h1 of its page; written by scripts, in no form. */
  h1: {
    label: 'Heading',
    type: 'text',
    column: 'heading',
    clean: true,
    longest: 120,
    reply: 'heading',
    forms: [],
    file: { names: 'pageheading', lasting: true },
  },
} as const satisfies Record<string, FieldSpec>

type Table = typeof listingFields
export type ListingField = keyof Table

/** Fields of which something is said, such as `WithSpec<{ file: object }>`. */
type WithSpec<Said> = { [F in ListingField]: Table[F] extends Said ? F : never }[ListingField]

/** Fields that are one text column. */
export type TextField = WithSpec<{ type: 'text' | 'code' | 'long text'; column: string }>
export type TextColumn<F extends TextField = TextField> = Table[F]['column']
/** Texts that are never null in the database and in a reply. */
export type NotNullField = WithSpec<{ notNull: true }>
/** Fields that a request may have. */
export type SentField = Exclude<ListingField, WithSpec<{ forms: readonly [] }>>
export type OtherSentName = Extract<Table[WithSpec<{ also: object }>], { also: object }>['also'][number]
export type BulkListingField = WithSpec<{ bulk: object }>
export type FileField = WithSpec<{ file: object }>
export type FileTextField = FileField & TextField
/** What a field is called in a file. */
export type FileName = {
  [F in FileField]: Table[F]['file'] extends { name: infer Name extends string } ? Name : F
}[FileField]
/** What a field is called in a reply. */
export type ReplyName<F extends TextField> = F extends TextField
  ? Table[F] extends { reply: infer Name extends string }
    ? Name
    : F
  : never

/** Everything that is said of a field. */
export const specOf = (field: ListingField): FieldSpec => listingFields[field]

export const allFields = Object.keys(listingFields) as ListingField[]

const fieldsWhere = <F extends ListingField>(has: (spec: FieldSpec) => boolean): readonly F[] =>
  allFields.filter((field): field is F => has(specOf(field)))

export const textFields = fieldsWhere<TextField>(({ column }) => column !== undefined)
export const sentFields = fieldsWhere<SentField>(({ forms }) => forms.length > 0)
export const bulkListingFields = fieldsWhere<BulkListingField>(({ bulk }) => bulk !== undefined)
export const fileFields = fieldsWhere<FileField>(({ file }) => file !== undefined)
export const fileTextFields = fieldsWhere<FileTextField>(({ file, column }) => Boolean(file && column))
/** Texts that are checked for profanity. */
export const cleanFields = fieldsWhere<TextField>(({ clean }) => clean === true)

export const fileNameOf = (field: FileField): FileName => (specOf(field).file?.name ?? field) as FileName
export const replyNameOf = <F extends TextField>(field: F): ReplyName<F> =>
  (specOf(field).reply ?? field) as ReplyName<F>

/** Names in the order of `first`, where they are in it, then the others as they come. */
export function inOrder<Name extends string>(
  first: readonly NoInfer<Name>[],
  names: readonly Name[],
): Name[] {
  const placed = new Set<Name>(first)
  return [...placed].filter((name) => names.includes(name)).concat(names.filter((name) => !placed.has(name)))
}

/** Exports and histories that exist have fields in this order; a field that is not in it comes behind these. */
export const recordOrder: readonly string[] = [
  'partyear',
  'partmanuname',
  'partmanu',
  'partmodel',
  'parttrim',
  'partname',
  'partcategory',
  'partgrade',
  'partnum',
  'stocknum',
  'vin',
  'partprice',
  'currency',
  'partquantity',
  'partshipping',
  'partmiles',
  'partdamage',
  'partdescription',
  'h1',
  'image',
  'imageUrl',
  'partcity',
  'partstate',
  'zipcode',
  'latitude',
  'longitude',
  'dealername',
  'dealerphone',
  'phoneb',
  'partslug',
]
