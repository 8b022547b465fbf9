/* Parts of the table in `listing-fields.ts`, which type-checks them. */

/** What a grade is based on; `grade-rule.ts` has the rules. */
export const gradeSpecs = {
  damagecode: {
    label: 'Damage code',
    type: 'code',
    column: 'damage_code',
    upper: true,
    longest: 60,
    input: { section: 'part', hint: '000 for none, or location, kind and units such as 5P1' },
    bulk: { width: 104 },
    file: {
      names:
        'damage damagecodes aradamage aradamagecode aracode dmgcode dmg bodydamage bodydamagecode condcode conditioncode',
      words: 'damage',
    },
  },
  gradereason: {
    label: 'Reason for the grade',
    type: 'text',
    column: 'grade_reason',
    clean: true,
    longest: 160,
    input: { section: 'part', hint: 'If you grade differently than the damage code or miles suggest' },
    bulk: { label: 'Grade reason', width: 160 },
    file: { names: 'whygrade gradenote gradenotes gradecomment', lasting: true },
  },
} as const

/** The terms of a sale. `listing-terms.ts` has their rules and wording. */
export const termSpecs = {
  /** For air bags (`restricted-parts.ts`). */
  neverdeployed: {
    label: 'Never deployed',
    type: 'yes',
    column: 'never_deployed',
    input: { section: 'terms', hint: 'Removed undamaged, and not under a recall' },
    bulk: { width: 112 },
    file: { names: 'undeployed notdeployed airbagundeployed neverdeployedairbag' },
  },
  warrantydays: {
    label: 'Warranty',
    type: 'number',
    column: 'warranty_days',
    most: 3_650,
    sameCar: true,
    input: { section: 'terms', hint: 'Days; 0 for none', unit: 'days' },
    bulk: { width: 92 },
    file: {
      label: 'Warranty days',
      names:
        'warranty warrantyperiod war warr warrdays warrantymonths warrantyterm warrantyterms warrantyindays warrantylength wty guarantee garantia garantiadias gewaehrleistung garantie garantietage',
      words: 'warranty',
    },
  },
  asis: {
    label: 'AS-IS',
    type: 'yes',
    column: 'as_is',
    sameCar: true,
    input: { section: 'terms', hint: 'Sold as it is, without a warranty' },
    bulk: { width: 72 },
    file: { names: 'soldasis asisnowarranty nowarranty' },
  },
  returndays: {
    label: 'Returns within',
    type: 'number',
    column: 'return_days',
    most: 365,
    sameCar: true,
    input: { section: 'terms', hint: 'Days; 0 if you take no returns', unit: 'days' },
    bulk: { label: 'Return days', width: 100 },
    file: {
      label: 'Return days',
      names:
        'returns returnwindow returnperiod returnpolicy returnwithin returnswithin returnsaccepted returnswithinoption daystoreturn devolucion devoluciones diasdedevolucion rueckgabe rueckgabefrist retour',
      words: 'return',
    },
  },
  restockpct: {
    label: 'Restocking fee',
    type: 'number',
    column: 'restock_pct',
    most: 100,
    sameCar: true,
    input: { section: 'terms', hint: 'Percent of the price', unit: '%' },
    bulk: { label: 'Restock %', width: 92 },
    file: {
      label: 'Restocking percent',
      names: 'restock restocking restockfee restockingfee restockingcharge restockingfeevalue restockpercent',
      words: 'restock',
    },
  },
  corecharge: {
    label: 'Core charge',
    type: 'amount',
    column: 'core_cents',
    most: 99_999,
    ownToEach: true,
    input: { section: 'terms', hint: 'Refunded when you get the old part', unit: '$' },
    bulk: { width: 100 },
    file: {
      names:
        'core coreprice corechg corechrg corecharges coredep corecost coredeposit corevalue coreamount corefee coreamt deposit cargopornucleo nucleo pfand altteilpfand consigne',
      words: 'corecharge core',
    },
  },
  coredays: {
    label: 'Core due within',
    type: 'number',
    column: 'core_days',
    most: 365,
    ownToEach: true,
    input: { section: 'terms', hint: 'Days the buyer has', unit: 'days' },
    bulk: { label: 'Core days', width: 92 },
    file: { label: 'Core days', names: 'corereturndays corewindow coreperiod corereturnperiod' },
  },
  corepart: {
    label: 'What counts as a core',
    type: 'text',
    column: 'core_part',
    clean: true,
    longest: 160,
    ownToEach: true,
    input: { section: 'terms', hint: 'Such as: same part, complete and not cracked' },
    bulk: { width: 160 },
    file: { names: 'coreterms corecondition corepolicy coredescription corerequirements corenotes' },
  },
} as const
