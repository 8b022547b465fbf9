/**
 * Every field of a listing, declared once. Rules, request body, reply, columns, import, exports, history, bulk grid and
 * form inputs follow from this table; CONTRIBUTING.md says how to add a field. The order is that of the forms.
 */

import { interchangeSpec } from './interchange.ts'
import { gradeSpecs, termSpecs } from './sale-fields.ts'

export const listingKinds = ['ecommerce', 'quick'] as const
export type ListingKind = (typeof listingKinds)[number]

/** Sections of the listing forms. */
export type FormSection = 'part' | 'vehicle' | 'price' | 'terms' | 'seller' | 'records'

type FieldSpec = {
  /** The label in messages, history and forms. */
  label: string
  /** The label in the e-commerce form, if the spec uses another one there. */
  formLabel?: string
  /**
   * Text, code and long text are stored as typed in one text column and need only this table. A code is text that
   * spreadsheets tend to round. A number, an amount (dollars, stored in cents) and a yes ("Yes" or empty) also have one
   * column (`listing-terms.ts`). The other types are handled where they are read or written.
   */
  type:
    | 'text'
    | 'code'
    | 'long text'
    | 'number'
    | 'amount'
    | 'yes'
    | 'lookup'
    | 'year'
    | 'price'
    | 'shipping'
    | 'count'
    | 'coordinate'
    | 'address'
  /** Column of a text, number, amount or yes; null if empty, unless `notNull`. */
  column?: string
  /** Maximum of a number. */
  most?: number
  notNull?: true
  /** Stored in upper case. */
  upper?: true
  /** Checked for profanity. */
  clean?: true
  /** Maximum characters; default 100. */
  longest?: number
  /** Who may read a text: `inside` is its seller and admins; phones also everyone if the seller allows it. Default everyone. */
  read?: 'inside' | 'phones'
  /** The name in a listing's reply, if different. */
  reply?: string
  /**
   * Kinds of listing with the field in their form; default all. If empty, no request has it: only scripts and imports
   * write it.
   */
  forms?: readonly ListingKind[]
  /** Aliases in requests. */
  also?: readonly string[]
  /** Adds a text's input to a section of the form; the other fields are placed in `listing-form.tsx`. */
  input?: { section: FormSection; hint?: string; adminHint?: string; maxLength?: number; unit?: string }
  /** Listed among the facts of the part's page. */
  fact?: true
  /** Copied to the next part from the same car. */
  sameCar?: true
  /** Not copied when the listing is duplicated. */
  ownToEach?: true
  /** Bulk edits may change it; with a width it has a column in the grid. */
  bulk?: { label?: string; width?: number }
  /** The field in imported and exported files and in staged records. `names` are lowercase letters and digits only. */
  file?: {
    name?: string
    label?: string
    /** Exact column names of yard systems, separated by spaces. */
    names?: string
    /** Words that indicate the field in a column's name. */
    words?: string
    /** Aliases in mappings and defaults. */
    also?: readonly string[]
    /** Written by scripts or people, or identifies the part, so an empty cell does not clear it. */
    lasting?: true
  }
}

export const listingFields = {
  partname: {
    label: 'Title',
    formLabel: 'Part name',
    type: 'text',
    column: 'name',
    notNull: true,
    clean: true,
    longest: 160,
    bulk: { label: 'Name', width: 184 },
    file: {
      label: 'Part name',
      names:
        'part name et engtrans enginetransmission engineortransmission title parttype producto libelle czesc nazwaczesci peca nomedapeca descr partstype itemtitle item itemname parttitle partdesc partdescr desc description partdescription itemdescription itemdesc itemdescr productdescription materialdescription shorttext materialtext descripcion beschreibung descrizione ricambio ricambi pezzo what parte product productname producttitle listingtitle component pieza nombre nombredelapieza repuesto refaccion teil teilename ersatzteil bezeichnung artikel artikelname artikelbezeichnung piece nomdelapiece designation',
      words: 'title',
    },
  },
  partcategoryId: {
    label: 'Category',
    type: 'lookup',
    also: ['partcategory'],
    file: {
      name: 'partcategory',
      names:
        'partgroup group cat parttype typeofpart kindofpart partstype categoryname category groupname partgroupname partcat parttypename partcategories categories productcategory producttype partcategoryname partfamily commodity type categoria tipodepieza kategorie warengruppe teilegruppe rubrik categorie rubrique',
      words: 'category',
    },
  },
  partnum: {
    label: 'Part Number',
    formLabel: 'Part number',
    type: 'code',
    column: 'part_number',
    longest: 60,
    bulk: { label: 'Part #', width: 128 },
    file: {
      label: 'Part number',
      names:
        'partno oem oemnum oemnbr oempartnbr oe refoe reforigine referenciaoem oemnumber oemno oempartno oempartnum oempartnumber codoe codoem codiceoe codiceoem codiceoriginale numerooe interchange interchangenumber interchangenum interchangeno intchnum intchno hollander hollandernumber hollandernum hollanderno mpn manufacturerpartnumber manufacturerpartno mfrpartnum mfrpartnumber mfgpartnum mfgpartnumber oepartnumber oenumber oenum genuinepartnumber numerodeparte numeroparte nodeparte numerodepieza numerooem referencia teilenummer teilenr oemnr oemnummer oenummer oenr originalteilenummer refoem nopiece numeropiece numerodepiece',
      words: 'partnumber partno oem',
    },
  },
  ...interchangeSpec,
  partgrade: {
    label: 'Grade',
    type: 'text',
    column: 'grade',
    upper: true,
    bulk: { width: 68 },
    file: {
      names:
        'grd gr condition conditioncode condcode cond estadopieza condicionpieza estadodelapieza condicion partcond conditiongrade gradecode partqualitygrade quality partrating rating aragrade partcondition itemcondition estado calidad calificacion zustand etat',
      words: 'grade condition',
      lasting: true,
    },
  },
  partdescription: {
    label: 'Description',
    type: 'long text',
    column: 'description',
    notNull: true,
    clean: true,
    longest: 10_000,
    also: ['partdesc'],
    bulk: { label: 'Product Description' },
    file: {
      names:
        'desc longdescription opis itemnote longdesc productdescription partdesc descr salesdescription partremarks bodyhtml notes comments details itemdescription itemdesc itemdescr materialdescription remarks note annotazioni osservazioni conditionsoptions conditionsandoptions conditionoptions condoptions conditiondescription shortdescription partnotes itemnotes sellernotes inventorynotes partcomments descripcion detalles observaciones notas comentarios beschreibung bemerkung bemerkungen anmerkung anmerkungen hinweis commentaires remarques options optionlist',
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
  ...gradeSpecs,
  partyear: {
    label: 'Year',
    type: 'year',
    sameCar: true,
    bulk: { width: 92 },
    file: {
      names:
        'modelyear vehicleyear yearfrom yrfrom yearstart yrstart fromyr begyr yrbeg anodesde baujahrvon baujahrab rok rocznik yr my bj vehicleyr vehyr myr vehyears modeljahr caryear startyear years yrs yearrange vehyear firstyear fromyear beginyear begyear modelyr fitmentyear reg regplate registration plate numberplate ez erstzulassung builddate builddt dateofbuild buildyear builton built proddate productiondate dateofmanufacture manufacturedate mfgdate mfrdate mfgyr mfgyear compliancedate compldate firstreg firstregistration dateoffirstregistration annoda anno annoinizio immatricolazione dataimmatricolazione primaimmatricolazione primeraimmatriculacion ano anos anomodelo baujahr jahr annee millesime',
      words: 'year',
    },
  },
  partmanuId: {
    label: 'Manufacturer',
    type: 'lookup',
    also: ['partmanu'],
    sameCar: true,
    file: {
      name: 'partmanu',
      names:
        'make vehiclemake carmake marka brandname partmanuname manu mfr mk makename vehmake brand carbrand manufacturername vendor marca fabricante marke automarke hersteller fabrikat marque',
      words: 'manufacturer make',
      also: ['partmanuname'],
    },
  },
  partmanuname: {
    label: 'Manufacturer name',
    type: 'lookup',
    longest: 80,
    sameCar: true,
  },
  partmodel: {
    label: 'Model',
    type: 'lookup',
    longest: 80,
    sameCar: true,
    bulk: { width: 112 },
    file: {
      names: 'vehiclemodel carmodel mdl modelname vehmodel modelo modell modele baureihe',
      words: 'model',
    },
  },
  partmodelId: { label: 'ModelId', type: 'lookup', sameCar: true },
  parttrim: {
    label: 'Trim',
    type: 'text',
    column: 'trim_name',
    longest: 80,
    sameCar: true,
    bulk: { width: 104 },
    file: {
      names: 'trimlevel submodel version ausfuehrung finition subtrim ausstattung',
      words: 'trim',
      also: ['trim'],
    },
  },
  /** Cab, bed and body: "Crew Cab", "Hatchback". Never part of a model's name. */
  bodystyle: {
    label: 'Body style',
    type: 'text',
    column: 'body_style',
    longest: 80,
    sameCar: true,
    input: { section: 'vehicle', hint: 'Cab, bed or body, such as Crew Cab' },
    fact: true,
    bulk: { width: 104 },
    file: { names: 'body bodytype cab cabtype cabstyle bodycab' },
  },
  /** Vehicles that it fits besides its own car (`fitment.ts`). */
  fitment: {
    label: 'Also fits',
    type: 'long text',
    column: 'fitment',
    longest: 10_000,
    input: { section: 'vehicle', hint: 'One per line: 2009-2014 Acura TSX (trim: Sport, without A/C)' },
    bulk: { width: 160 },
    file: { names: 'fits fitments alsofits vehiclefitment' },
  },
  partmiles: {
    label: 'Miles',
    type: 'count',
    sameCar: true,
    bulk: { width: 96 },
    file: {
      names:
        'mileage odometer meilen odokm odokms odomi odomiles odometerkm odometermi odometermiles mileagekm mileskm milage przebieg odo kilometraje kilometros kilometerstand kilometer kilometers kilometres km kms kmstand laufleistung kilometrage donormileage donormiles enginemiles mi odometerreading odoreading odordg odomrdg vehmiles chilometri chilometraggio kmpercorsi vehiclemiles vehiclemileage millas millaje',
      words: 'mileage miles odometer',
      also: ['miles'],
    },
  },
  partprice: {
    label: 'Price',
    type: 'price',
    bulk: { width: 88 },
    file: {
      names:
        'retail retailprice saleprice sellprice listprice startprice asking askingprice ask list regularprice variantprice usprice yourprice unitprice sellingprice salesprice currentprice buyitnowprice buyitnow webprice onlineprice internetprice precio preciodeventa prezzo prezzodivendita prezzovendita preis verkaufspreis vkpreis prix prixdevente',
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
      names:
        'shippingcost freight delivery carriage postage deliverycharge deliverycost freightcharge shipamt shipcharge portes flete gastosdeenvio fretes shippingcosts shipprice shippingprice shippingfee shippingcharge shipcost freightcost spedizione costospedizione spesedispedizione envio costodeenvio versand versandkosten porto livraison fraisdeport',
      words: 'shipping freight',
    },
  },
  partquantity: {
    label: 'Quantity',
    type: 'count',
    bulk: { width: 88 },
    file: {
      names:
        'qty instock onhand qoh ilosc currentstocklevel currentstock stockonhand inventory inventorylevel stockqty stockquantity quantidade qtde estoque oh qtyoh onhandqty quantityavailable availablequantity stock variantinventoryqty inventoryqty inventoryquantity quantityonhand qtyonhand qtyavail qtyavailable available availqty availableqty unrestr unrestricted unrestrictedstock unrestrqty freestock stocklevel quantita qta giacenza disp cantidad existencia existencias menge anzahl bestand lagerbestand quantite qte',
      words: 'quantity qty',
      also: ['quantity'],
    },
  },
  ...termSpecs,
  partcity: {
    label: 'City',
    type: 'text',
    column: 'city',
    notNull: true,
    longest: 80,
    sameCar: true,
    bulk: { width: 120 },
    file: {
      names:
        'town yardcity loc location comuna miasto where cidade citta localita itemcity shipfromcity ciudad localidad poblacion municipio ort stadt standort ville',
      words: 'city',
    },
  },
  partstate: {
    label: 'State',
    type: 'text',
    column: 'state',
    notNull: true,
    longest: 40,
    sameCar: true,
    bulk: { width: 72 },
    file: {
      names:
        'st yardstate province prov region statecode stateabbr stateabbreviation stateprov stateprovince provincecode regioncode itemstate shipfromstate land bundesland estado provincia',
      words: 'state',
    },
  },
  zipcode: {
    label: 'Zipcode',
    type: 'text',
    column: 'zip',
    sameCar: true,
    bulk: { width: 88 },
    file: {
      names:
        'zip postalcode zipcodes yardzip yardzipcode shipfromzip postcode postal zippostal zippostalcode plz postleitzahl codigopostal cp codepostal',
      words: 'postal zip',
      also: ['zip'],
    },
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
    also: ['partdealer'],
    sameCar: true,
    bulk: { label: 'Dealer', width: 140 },
    file: {
      label: 'Dealer',
      names:
        'seller sellername yard yardname company companyname recyclername businessname soldby dealership recycler shopname storename handler handlername anbieter verkaufer firma vendedor proveedor deshuesadero yonke empresa vendeur',
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
    also: ['phonea'],
    sameCar: true,
    bulk: { label: 'Phone', width: 128 },
    file: {
      label: 'Phone',
      names:
        'tel telephone phonenumber call phoneno phone1 mobile cell contactphone sellerphone telefon telefonnummer rufnummer telno telefono celular movil',
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
    ownToEach: true,
    input: {
      section: 'records',
      hint: 'Your own number for the part',
      adminHint: 'The seller’s own number for the part',
    },
    fact: true,
    bulk: { width: 120 },
    file: {
      names:
        'stock stockno stk stkno unitno unitnum unitnumber unitnbr yardnum yardno yardtag yardid inv invid invnbr stknum ref refnum codearticle ticket customsku internalreference reference productcode productcodesku itemcode clave unitid stockcode refno material materialno materialnum materialnumber materialnr matnr lot lotno lotnum lotnumber codint codiceinterno codinterno codice codarticolo codicearticolo matricola stockref nro nostock inventorynr stocknbr stknbr itemnum itemno folio referenceinterne refinterne vehstocknum vehstockno vehiclestockno partstocknum sku tag tagnumber inventorynumber inventoryid customlabel customlabelsku variantsku sellersku partsku itemsku productsku stocknr stockid stockticket ticketnumber tagnum tagno tagid inventorynum inventoryno invnum invno invnumber partid yardstock yardstocknumber vehiclestock vehiclestocknum vehiclestocknumber vehstock inventario noinventaire numeroinventaire numerodinventaire numerodeinventario codigo lagernummer lagernr artikelnummer artikelnr noinv noinvent refalmacen refinterna referenciainterna refstock numinventario noinventario id',
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
    sameCar: true,
    fact: true,
    file: {
      names:
        'telaio numerotelaio ntelaio vinnumber vehicleidentificationnumber vinnum vinno vehiclevin fahrgestellnummer fahrgestellnr',
      also: ['VIN'],
    },
  },
  partslug: { label: 'Friendly address', type: 'address', longest: 120, ownToEach: true },
  /** The h1 of the listing's page; written by scripts. */
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

/** Fields with such a spec: `WithSpec<{ file: object }>`. */
type WithSpec<Spec> = { [F in ListingField]: Table[F] extends Spec ? F : never }[ListingField]

/** Fields that are one text column. */
export type TextField = WithSpec<{ type: 'text' | 'code' | 'long text'; column: string }>
/** Fields that are a number, amount or yes: the terms of a sale. */
export type TermField = WithSpec<{ type: 'number' | 'amount' | 'yes'; column: string }>
export type TextColumn<F extends TextField = TextField> = Table[F]['column']
/** Texts that are never null in the database and in a reply. */
export type NotNullField = WithSpec<{ notNull: true }>
/** Fields that a request may have. */
export type SentField = Exclude<ListingField, WithSpec<{ forms: readonly [] }>>
export type OtherSentName = Extract<Table[WithSpec<{ also: object }>], { also: object }>['also'][number]
export type BulkListingField = WithSpec<{ bulk: object }>
export type FileField = WithSpec<{ file: object }>
export type FileTextField = FileField & TextField
/** Field names in files. */
export type FileName = {
  [F in FileField]: Table[F]['file'] extends { name: infer Name extends string } ? Name : F
}[FileField]
/** Field names in replies. */
export type ReplyName<F extends TextField> = F extends TextField
  ? Table[F] extends { reply: infer Name extends string }
    ? Name
    : F
  : never

export const specOf = (field: ListingField): FieldSpec => listingFields[field]

/** Whether the form of this kind of listing has the field. */
export const isInForm = (field: ListingField, kind: ListingKind): boolean =>
  specOf(field).forms?.includes(kind) ?? true

export const allFields = Object.keys(listingFields) as ListingField[]

const fieldsWhere = <F extends ListingField>(has: (spec: FieldSpec) => boolean): readonly F[] =>
  allFields.filter((field): field is F => has(specOf(field)))

const isText = ({ type }: FieldSpec) => type === 'text' || type === 'code' || type === 'long text'

export const textFields = fieldsWhere<TextField>((spec) => isText(spec) && spec.column !== undefined)
export const termFields = fieldsWhere<TermField>(
  ({ type }) => type === 'number' || type === 'amount' || type === 'yes',
)
export const sentFields = fieldsWhere<SentField>(({ forms }) => forms?.length !== 0)
export const bulkListingFields = fieldsWhere<BulkListingField>(({ bulk }) => bulk !== undefined)
export const fileFields = fieldsWhere<FileField>(({ file }) => file !== undefined)
export const fileTextFields = fieldsWhere<FileTextField>(
  (spec) => Boolean(spec.file && spec.column) && isText(spec),
)
/** Texts that are checked for profanity. */
export const cleanFields = fieldsWhere<TextField>(({ clean }) => clean === true)

export const fileNameOf = (field: FileField): FileName => (specOf(field).file?.name ?? field) as FileName
export const replyNameOf = <F extends TextField>(field: F): ReplyName<F> =>
  (specOf(field).reply ?? field) as ReplyName<F>

/** Sorts the names in `first` to the front, in that order. */
export function inOrder<Name extends string>(
  first: readonly NoInfer<Name>[],
  names: readonly Name[],
): Name[] {
  const placed = new Set<Name>(first)
  return [...placed].filter((name) => names.includes(name)).concat(names.filter((name) => !placed.has(name)))
}

/** Field order of exports and histories, which must not change; new fields go at the end. */
export const recordOrder: readonly string[] =
  `partyear partmanuname partmanu partmodel parttrim partname partcategory partgrade partnum stocknum vin partprice currency
   partquantity partshipping partmiles partdamage partdescription h1 image imageUrl partcity partstate zipcode latitude
   longitude dealername dealerphone phoneb partslug`.split(/\s+/)
