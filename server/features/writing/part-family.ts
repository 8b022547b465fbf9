/**
 * Parts that a buyer looks at in the same way. Finer than the groups of the catalogue: of doors and glass a buyer checks
 * other things on a pane than on a handle.
 */
export type PartFamily =
  | 'generator'
  | 'starter'
  | 'ignition'
  | 'switch'
  | 'wiring'
  | 'electrical'
  | 'lamp'
  | 'panel'
  | 'trim'
  | 'bumper'
  | 'grille'
  | 'door'
  | 'glass'
  | 'doorHardware'
  | 'mirror'
  | 'interior'
  | 'seat'
  | 'airBag'
  | 'belt'
  | 'spring'
  | 'arm'
  | 'hub'
  | 'subframe'
  | 'steering'
  | 'rotor'
  | 'brakeHydraulics'
  | 'brake'
  | 'wheel'
  | 'tire'
  | 'wheelCover'
  | 'radiator'
  | 'airCon'
  | 'heater'
  | 'cooling'
  | 'exhaust'
  | 'emissions'
  | 'tank'
  | 'fuel'
  | 'intake'
  | 'turbo'
  | 'module'
  | 'audio'
  | 'sensor'
  | 'key'
  | 'wiper'
  | 'washer'
  | 'bed'
  | 'towing'
  | 'highVoltage'
  | 'engine'
  | 'engineInternal'
  | 'engineCover'
  | 'mount'
  | 'gearbox'
  | 'driveline'
  | 'shifter'
  | 'general'

/** By words of the category or, where there is none, of the name. The first that matches decides. */
const byWords: readonly (readonly [RegExp, PartFamily])[] = [
  [/alternator|generator/, 'generator'],
  [/starter/, 'starter'],
  [/ignition coil|distributor|spark/, 'ignition'],
  [/air ?bag(?! control)|clock spring/, 'airBag'],
  [/seat belt|buckle/, 'belt'],
  [/switch/, 'switch'],
  [/harness|wiring|fuse|cable|relay/, 'wiring'],
  [
    /hybrid battery|battery module|inverter|drive motor|converter(?<!torque converter|catalytic converter)|on-board charger|charge port|charging/,
    'highVoltage',
  ],
  [/mirror/, 'mirror'],
  [
    /head ?(lamp|light)|tail ?(lamp|light)|fog (lamp|light)|\blamp|brake light|marker|running (lamp|light)/,
    'lamp',
  ],
  [/bumper|energy absorber/, 'bumper'],
  [/grille|air dam/, 'grille'],
  [/regulator|door handle|actuator|hinge|latch|lock\b|weatherstrip|strut, ?gas|gas strut/, 'doorHardware'],
  [/glass|windshield|sunroof|window/, 'glass'],
  [
    /door trim|dash|console|glove|visor|headliner|carpet|floor mat|pillar|air vent|cup holder|ashtray|cargo cover|trunk trim|grab handle/,
    'interior',
  ],
  [/steering wheel|gas pedal|headrest/, 'interior'],
  [/\bseat/, 'seat'],
  [/truck bed|tailgate|bed side|bed liner|tonneau|truck cap|truck cab/, 'bed'],
  [/hitch|winch|tool box|trailer|tow/, 'towing'],
  [/fuel door|emblem|spoiler|roof rack|running board|mud flap|fender liner|engine cover|splash/, 'trim'],
  [/door$|sliding door|^door/, 'door'],
  [/hood|fender|quarter panel|rocker|roof panel|trunk lid|liftgate|cowl|core support|panel$/, 'panel'],
  [/air suspension|air spring|strut|shock|coil spring|leaf spring|torsion/, 'spring'],
  [/control arm|trailing arm|tie rod|ball joint|stabilizer|sway|link/, 'arm'],
  [/knuckle|wheel hub|spindle|bearing/, 'hub'],
  [/subframe|crossmember|^frame/, 'subframe'],
  [/steering|rack and pinion/, 'steering'],
  [/rotor|brake drum|backing plate/, 'rotor'],
  [/caliper|master cylinder|booster|abs pump/, 'brakeHydraulics'],
  [/brake/, 'brake'],
  [/wheel cover|center cap|lug nut|jack|spare tire carrier|hub ?cap/, 'wheelCover'],
  [/tire pressure/, 'sensor'],
  [/^tire|tires/, 'tire'],
  [/wheel/, 'wheel'],
  [/wiper|linkage/, 'wiper'],
  [/washer/, 'washer'],
  [
    /radiator(?! fan)|condenser|intercooler|oil cooler|transmission cooler|heater core|evaporator/,
    'radiator',
  ],
  [/a\/c|compressor/, 'airCon'],
  [/blower|heater|climate|blend/, 'heater'],
  [/fan|coolant|thermostat|water pump/, 'cooling'],
  [/manifold(?<!intake manifold)|muffler|exhaust pipe|heat shield|particulate|catalytic/, 'exhaust'],
  [/egr|oxygen|canister|secondary air|def tank/, 'emissions'],
  [/fuel tank|filler/, 'tank'],
  [/fuel|injector|injection|carburetor/, 'fuel'],
  [/turbo|supercharger/, 'turbo'],
  [/throttle|intake|air cleaner|air intake|air flow/, 'intake'],
  [/radio|display|amplifier|speaker|antenna|entertainment/, 'audio'],
  [/module|cluster|computer|immobilizer|ballast/, 'module'],
  [/sensor|camera|radar/, 'sensor'],
  [/key|fob/, 'key'],
  [/oil pan|valve cover|timing cover|filter housing/, 'engineCover'],
  [/mount|tensioner|balancer|pulley|vacuum pump|oil pump/, 'mount'],
  [/head\b|block|crankshaft|camshaft|piston|connecting rod|flywheel|timing chain/, 'engineInternal'],
  [/engine assembly|^engine|motor assembly/, 'engine'],
  [/shifter|shift/, 'shifter'],
  [/transmission|transfer case|torque converter|clutch|valve body/, 'gearbox'],
  [/driveshaft|axle|differential|locking hub/, 'driveline'],
]

/** Where a category says nothing to the list above. */
const byGroup = new Map<string, PartFamily>([
  ['Engine', 'mount'],
  ['Transmission & Drivetrain', 'gearbox'],
  ['Electrical', 'electrical'],
  ['Lighting', 'lamp'],
  ['Body Panels', 'panel'],
  ['Bumpers & Grilles', 'bumper'],
  ['Doors & Glass', 'doorHardware'],
  ['Mirrors', 'mirror'],
  ['Interior', 'interior'],
  ['Seats & Restraints', 'seat'],
  ['Suspension & Steering', 'arm'],
  ['Brakes', 'brake'],
  ['Wheels & Tires', 'wheel'],
  ['Cooling & Heating', 'cooling'],
  ['Exhaust & Emissions', 'exhaust'],
  ['Fuel & Air Intake', 'intake'],
  ['Electronics & Modules', 'module'],
  ['Wipers & Washers', 'wiper'],
  ['Truck & Towing', 'towing'],
  ['Hybrid & Electric Drive', 'highVoltage'],
])

const known = new Map<string, PartFamily>()
const MOST_KNOWN = 5_000

export function familyOf(kind: { category?: string; name: string; group?: string }): PartFamily {
  const key = `${kind.category ?? kind.name}/${kind.group ?? ''}`
  let family = known.get(key)
  if (family === undefined) {
    family = findFamily(kind)
    if (known.size >= MOST_KNOWN) known.clear()
    known.set(key, family)
  }
  return family
}

function findFamily({
  category,
  name,
  group,
}: {
  category?: string
  name: string
  group?: string
}): PartFamily {
  const words = (category ?? name).toLowerCase()
  const found = byWords.find(([pattern]) => pattern.test(words))
  return found?.[1] ?? byGroup.get(group ?? '') ?? 'general'
}
