/**
 * What yards list most: the part type (a name of part-types.csv), the dollars that a good one of a ten-year-old ordinary
 * car brings, how common it is, how it ships, what a seller adds to its name, and which cars have one.
 */
export type DemoPart = {
  type: string
  /** As sellers write it in a title. */
  title: string
  dollars: number
  weight: number
  size: PartSize
  detail: Detail
  needs: Need
  /** First and last model year of cars that have it. */
  years: readonly [from: number, to: number]
}

/** Parcel, big parcel, freight, or too heavy to send at a price known beforehand. */
export type PartSize = 'small' | 'medium' | 'large' | 'freight'
export type Detail = 'none' | 'side' | 'corner' | 'ends' | 'amps' | 'engine' | 'inches' | 'colour' | 'drive'
export type Need =
  | 'any'
  | 'engine'
  | 'automatic'
  | 'pickup'
  | 'four-doors'
  | 'sliding-door'
  | 'trunk'
  | 'hatch'
  | 'soft-top'
  | 'third-row'
  | 'four-by-four'
  | 'diesel'
  | 'hybrid'
  | 'electric'

type Row = readonly [
  type: string,
  title: string,
  dollars: number,
  weight: number,
  size: PartSize,
  detail?: Detail,
  needs?: Need,
  from?: number,
  to?: number,
]

const rows: readonly Row[] = [
  ['Engine Assembly', 'Engine', 950, 34, 'freight', 'engine', 'engine'],
  ['Cylinder Head', 'Cylinder head', 230, 14, 'large', 'engine', 'engine'],
  ['Engine Block', 'Engine block', 420, 4, 'freight', 'engine', 'engine'],
  ['Crankshaft', 'Crankshaft', 190, 3, 'medium', 'engine', 'engine'],
  ['Camshaft', 'Camshaft', 95, 5, 'medium', 'engine', 'engine'],
  ['Oil Pan', 'Oil pan', 65, 12, 'medium', 'none', 'engine'],
  ['Valve Cover', 'Valve cover', 60, 14, 'medium', 'none', 'engine'],
  ['Timing Cover', 'Timing cover', 75, 7, 'medium', 'none', 'engine'],
  ['Engine Mount', 'Engine mount', 38, 10, 'small', 'side', 'engine'],
  ['Harmonic Balancer', 'Harmonic balancer', 55, 6, 'small', 'none', 'engine'],
  ['Belt Tensioner', 'Belt tensioner', 32, 8, 'small', 'none', 'engine'],
  ['Engine Cover', 'Engine cover', 48, 14, 'medium', 'none', 'engine', 2000],
  ['Automatic Transmission', 'Automatic transmission', 720, 36, 'freight', 'drive', 'automatic'],
  ['Manual Transmission', 'Manual transmission', 560, 6, 'freight', 'drive', 'engine'],
  ['Transfer Case', 'Transfer case', 340, 14, 'freight', 'none', 'four-by-four'],
  ['Driveshaft', 'Driveshaft', 165, 12, 'large', 'ends', 'four-by-four'],
  ['CV Axle', 'CV axle', 68, 24, 'medium', 'corner'],
  ['Differential', 'Differential', 310, 10, 'freight', 'ends', 'four-by-four'],
  ['Rear Axle Assembly', 'Rear axle assembly', 480, 7, 'freight', 'none', 'pickup'],
  ['Torque Converter', 'Torque converter', 130, 5, 'large', 'none', 'automatic'],
  ['Shifter Assembly', 'Shifter assembly', 78, 12, 'medium'],
  ['Transmission Mount', 'Transmission mount', 34, 5, 'small', 'none', 'engine'],
  ['Alternator', 'Alternator', 85, 46, 'small', 'amps', 'engine'],
  ['Starter Motor', 'Starter motor', 62, 36, 'small', 'none', 'engine'],
  ['Ignition Coil', 'Ignition coil', 28, 16, 'small', 'none', 'engine', 1996],
  ['Distributor', 'Distributor', 70, 4, 'small', 'none', 'engine', 1992, 2002],
  ['Fuse Box', 'Fuse box, engine bay', 88, 22, 'small'],
  ['Engine Wiring Harness', 'Engine wiring harness', 175, 10, 'medium', 'none', 'engine'],
  ['Ignition Switch', 'Ignition switch with key', 72, 10, 'small', 'none', 'any', 1992, 2016],
  ['Window Switch', 'Master window switch', 48, 26, 'small', 'none', 'any', 1996],
  ['Headlight Switch', 'Headlight switch', 34, 10, 'small'],
  ['Turn Signal Switch', 'Turn signal switch', 42, 12, 'small'],
  ['Battery Tray', 'Battery tray', 26, 6, 'small'],
  ['Horn', 'Horn', 18, 5, 'small'],
  ['Headlamp Assembly', 'Headlamp', 115, 70, 'medium', 'side'],
  ['Tail Lamp Assembly', 'Tail lamp', 72, 66, 'medium', 'side'],
  ['Fog Lamp', 'Fog lamp', 38, 20, 'small', 'side', 'any', 1998],
  ['Turn Signal Lamp', 'Turn signal lamp', 30, 8, 'small', 'side', 'any', 1992, 2010],
  ['Third Brake Light', 'Third brake light', 40, 10, 'small'],
  ['Dome Lamp', 'Dome lamp', 28, 8, 'small'],
  ['Headlamp Ballast', 'Headlamp ballast', 74, 6, 'small', 'none', 'any', 2003, 2016],
  ['Daytime Running Lamp', 'Daytime running lamp', 85, 6, 'small', 'side', 'any', 2011],
  ['Hood', 'Hood', 240, 28, 'freight', 'colour'],
  ['Fender', 'Front fender', 140, 36, 'large', 'side'],
  ['Fender Liner', 'Fender liner', 36, 12, 'medium', 'corner'],
  ['Quarter Panel', 'Quarter panel section', 310, 6, 'freight', 'side'],
  ['Trunk Lid', 'Trunk lid', 190, 18, 'freight', 'colour', 'trunk'],
  ['Liftgate', 'Liftgate', 320, 18, 'freight', 'colour', 'hatch'],
  ['Core Support', 'Radiator core support', 145, 8, 'large'],
  ['Gas Strut', 'Liftgate strut', 24, 8, 'small', 'side', 'hatch'],
  ['Fuel Door', 'Fuel door', 32, 6, 'small', 'colour'],
  ['Spoiler', 'Rear spoiler', 95, 8, 'large', 'colour', 'trunk', 1996],
  ['Roof Rack', 'Roof rack', 120, 6, 'large', 'none', 'hatch'],
  ['Running Board', 'Running board', 130, 7, 'large', 'side', 'pickup'],
  ['Front Bumper Assembly', 'Front bumper assembly', 310, 24, 'freight', 'colour'],
  ['Front Bumper Cover', 'Front bumper cover', 165, 22, 'large', 'colour'],
  ['Rear Bumper Assembly', 'Rear bumper assembly', 260, 26, 'freight', 'colour'],
  ['Bumper Reinforcement', 'Bumper reinforcement', 95, 12, 'large', 'ends'],
  ['Grille', 'Grille', 88, 30, 'medium'],
  ['Front Door', 'Front door', 340, 34, 'freight', 'side'],
  ['Rear Door', 'Rear door', 300, 22, 'freight', 'side', 'four-doors'],
  ['Sliding Door', 'Sliding door', 360, 22, 'freight', 'side', 'sliding-door'],
  ['Door Glass', 'Door glass', 62, 22, 'large', 'corner'],
  ['Quarter Glass', 'Quarter glass', 58, 10, 'medium', 'side'],
  ['Back Glass', 'Back glass', 120, 6, 'freight', 'none'],
  ['Sunroof Assembly', 'Sunroof assembly', 260, 5, 'freight', 'none', 'any', 1998],
  ['Window Regulator', 'Window regulator', 58, 34, 'small', 'corner'],
  ['Outside Door Handle', 'Outside door handle', 34, 26, 'small', 'corner'],
  ['Inside Door Handle', 'Inside door handle', 24, 14, 'small', 'corner'],
  ['Door Lock Actuator', 'Door lock actuator', 46, 20, 'small', 'corner', 'any', 1998],
  ['Door Trim Panel', 'Door trim panel', 82, 14, 'large', 'corner'],
  ['Convertible Top', 'Convertible top', 780, 2, 'freight', 'none', 'soft-top'],
  ['Door Mirror', 'Door mirror', 78, 62, 'medium', 'side'],
  ['Mirror Glass', 'Mirror glass', 22, 12, 'small', 'side'],
  ['Tow Mirror', 'Tow mirror', 130, 7, 'medium', 'side', 'pickup'],
  ['Rear View Mirror', 'Rear view mirror', 42, 12, 'small'],
  ['Dashboard', 'Dashboard', 360, 4, 'freight'],
  ['Center Console', 'Center console', 130, 10, 'large'],
  ['Glove Box', 'Glove box', 45, 10, 'medium'],
  ['Steering Wheel', 'Steering wheel', 82, 20, 'medium'],
  ['Sun Visor', 'Sun visor', 32, 20, 'small', 'side'],
  ['Air Vent', 'Dash air vent', 28, 10, 'small', 'side'],
  ['Cup Holder', 'Cup holder', 30, 7, 'small'],
  ['Cargo Cover', 'Cargo cover', 85, 9, 'medium', 'none', 'hatch'],
  ['Floor Mat', 'Floor mat set', 45, 6, 'medium'],
  ['Gas Pedal', 'Gas pedal', 44, 8, 'small', 'none', 'any', 2002],
  ['Front Seat', 'Front seat', 230, 16, 'freight', 'side'],
  ['Rear Seat', 'Rear seat', 210, 8, 'freight'],
  ['Third Row Seat', 'Third row seat', 290, 12, 'freight', 'none', 'third-row'],
  ['Headrest', 'Headrest', 38, 10, 'small', 'side'],
  ['Seat Belt', 'Seat belt', 58, 22, 'small', 'corner'],
  ['Seat Switch', 'Power seat switch', 42, 6, 'small', 'side', 'any', 1998],
  ['Steering Wheel Air Bag', 'Steering wheel air bag', 145, 16, 'small', 'none', 'any', 1996],
  ['Curtain Air Bag', 'Curtain air bag', 120, 7, 'medium', 'side', 'any', 2004],
  ['Clock Spring', 'Clock spring', 62, 12, 'small', 'none', 'any', 1996],
  ['Strut', 'Strut assembly', 62, 26, 'medium', 'corner'],
  ['Shock Absorber', 'Shock absorber', 34, 10, 'medium', 'ends'],
  ['Coil Spring', 'Coil spring', 40, 8, 'medium', 'corner'],
  ['Leaf Spring', 'Leaf spring', 140, 5, 'large', 'side', 'pickup'],
  ['Lower Control Arm', 'Lower control arm', 64, 20, 'medium', 'corner'],
  ['Upper Control Arm', 'Upper control arm', 55, 8, 'medium', 'corner'],
  ['Stabilizer Bar', 'Stabilizer bar', 68, 8, 'large', 'ends'],
  ['Steering Knuckle', 'Steering knuckle', 88, 20, 'medium', 'corner'],
  ['Wheel Hub', 'Wheel hub', 55, 12, 'small', 'corner'],
  ['Subframe', 'Subframe', 280, 9, 'freight', 'ends'],
  ['Steering Gear', 'Steering gear', 165, 18, 'large'],
  ['Power Steering Pump', 'Power steering pump', 68, 14, 'small', 'none', 'engine', 1992, 2014],
  ['Electric Steering Motor', 'Electric steering motor', 190, 7, 'medium', 'none', 'any', 2008],
  ['Steering Column', 'Steering column', 130, 9, 'large'],
  ['Brake Caliper', 'Brake caliper', 44, 20, 'small', 'corner'],
  ['Brake Rotor', 'Brake rotor', 32, 6, 'medium', 'ends'],
  ['Master Cylinder', 'Brake master cylinder', 58, 10, 'small'],
  ['Brake Booster', 'Brake booster', 85, 12, 'medium'],
  ['ABS Pump', 'ABS pump and module', 135, 24, 'small', 'none', 'any', 1996],
  ['Parking Brake', 'Parking brake lever', 40, 4, 'medium'],
  ['Alloy Wheel', 'Alloy wheel', 98, 60, 'medium', 'inches'],
  ['Steel Wheel', 'Steel wheel', 48, 16, 'medium', 'inches'],
  ['Spare Wheel', 'Compact spare wheel', 72, 14, 'medium', 'inches'],
  ['Wheel Cover', 'Wheel cover', 26, 10, 'small', 'inches'],
  ['Wheel Center Cap', 'Wheel center cap', 16, 10, 'small'],
  ['Jack Kit', 'Jack and tools', 48, 8, 'medium'],
  ['Radiator', 'Radiator', 92, 28, 'large', 'none', 'engine'],
  ['Radiator Fan', 'Radiator fan assembly', 96, 26, 'large'],
  ['Coolant Reservoir', 'Coolant reservoir', 36, 14, 'small'],
  ['Water Pump', 'Water pump', 46, 4, 'small', 'none', 'engine'],
  ['A/C Compressor', 'A/C compressor', 110, 34, 'medium'],
  ['A/C Condenser', 'A/C condenser', 78, 14, 'large'],
  ['Blower Motor', 'Blower motor', 48, 22, 'small'],
  ['Heater Box', 'Heater box', 145, 5, 'large'],
  ['Climate Control Panel', 'Climate control panel', 75, 30, 'small'],
  ['Blend Door Actuator', 'Blend door actuator', 30, 8, 'small'],
  ['Exhaust Manifold', 'Exhaust manifold', 95, 12, 'medium', 'side', 'engine'],
  ['Muffler', 'Muffler', 105, 8, 'large', 'none', 'engine'],
  ['Exhaust Pipe', 'Exhaust pipe', 85, 6, 'large', 'none', 'engine'],
  ['EGR Valve', 'EGR valve', 52, 8, 'small', 'none', 'engine', 1996],
  ['Charcoal Canister', 'Charcoal canister', 60, 8, 'medium', 'none', 'engine', 1996],
  ['Heat Shield', 'Exhaust heat shield', 32, 3, 'medium', 'none', 'engine'],
  ['DEF Tank', 'DEF tank', 260, 16, 'large', 'none', 'diesel', 2011],
  ['Fuel Tank', 'Fuel tank', 145, 12, 'freight', 'none', 'engine'],
  ['Fuel Pump', 'Fuel pump module', 82, 22, 'medium', 'none', 'engine'],
  ['Fuel Injector', 'Fuel injector', 34, 12, 'small', 'none', 'engine'],
  ['Throttle Body', 'Throttle body', 68, 24, 'small', 'none', 'engine'],
  ['Intake Manifold', 'Intake manifold', 110, 16, 'medium', 'none', 'engine'],
  ['Air Cleaner Box', 'Air cleaner box', 62, 18, 'medium', 'none', 'engine'],
  ['Mass Air Flow Sensor', 'Mass air flow sensor', 42, 14, 'small', 'none', 'engine'],
  ['Turbocharger', 'Turbocharger', 360, 8, 'medium', 'none', 'engine', 2006],
  ['Intercooler', 'Intercooler', 130, 4, 'large', 'none', 'engine', 2006],
  ['Engine Control Module', 'Engine control module', 118, 50, 'small', 'none', 'engine'],
  ['Transmission Control Module', 'Transmission control module', 92, 10, 'small', 'none', 'automatic', 1998],
  ['Body Control Module', 'Body control module', 84, 24, 'small', 'none', 'any', 1998],
  ['Air Bag Control Module', 'Air bag control module', 78, 16, 'small', 'none', 'any', 1998],
  ['Instrument Cluster', 'Instrument cluster', 98, 42, 'small'],
  ['Radio', 'Radio', 92, 44, 'small'],
  ['Display Screen', 'Display screen', 185, 18, 'small', 'none', 'any', 2008],
  ['Amplifier', 'Audio amplifier', 95, 14, 'small', 'none', 'any', 2000],
  ['Speaker', 'Door speaker', 26, 8, 'small', 'corner'],
  ['Backup Camera', 'Backup camera', 72, 16, 'small', 'none', 'any', 2010],
  ['Parking Sensor', 'Parking sensor', 32, 8, 'small', 'none', 'any', 2008],
  ['Blind Spot Sensor', 'Blind spot sensor', 145, 10, 'small', 'side', 'any', 2012],
  ['Cruise Control Radar', 'Cruise control radar', 210, 7, 'small', 'none', 'any', 2014],
  ['Front Camera', 'Front camera', 165, 6, 'small', 'none', 'any', 2015],
  ['Key Fob', 'Key fob', 34, 10, 'small', 'none', 'any', 2000],
  ['Wiper Motor', 'Front wiper motor', 48, 14, 'small'],
  ['Wiper Linkage', 'Wiper linkage', 44, 6, 'medium'],
  ['Rear Wiper Motor', 'Rear wiper motor', 46, 9, 'small', 'none', 'hatch'],
  ['Washer Reservoir', 'Washer reservoir', 38, 6, 'medium'],
  ['Truck Bed', 'Truck bed', 1150, 24, 'freight', 'colour', 'pickup'],
  ['Tailgate', 'Tailgate', 390, 70, 'freight', 'colour', 'pickup'],
  ['Tonneau Cover', 'Tonneau cover', 320, 22, 'freight', 'none', 'pickup'],
  ['Trailer Hitch', 'Trailer hitch', 150, 38, 'large', 'none', 'pickup'],
  ['Spare Tire Carrier', 'Spare tire carrier', 62, 14, 'medium', 'none', 'pickup'],
  ['Hybrid Battery', 'Hybrid battery pack', 980, 150, 'freight', 'none', 'hybrid'],
  ['Power Inverter', 'Power inverter', 340, 110, 'medium', 'none', 'hybrid'],
  ['Battery Cooling Fan', 'Hybrid battery cooling fan', 58, 60, 'small', 'none', 'hybrid'],
  ['Electric Drive Motor', 'Electric drive motor', 1350, 120, 'freight', 'ends', 'electric'],
  ['On-Board Charger', 'On-board charger', 420, 100, 'medium', 'none', 'electric'],
  ['Charge Port', 'Charge port', 130, 70, 'small', 'none', 'electric'],
]

const FIRST_YEAR = 1992
const ANY_LAST_YEAR = 2100

export const demoParts: readonly DemoPart[] = rows.map(
  ([
    type,
    title,
    dollars,
    weight,
    size,
    detail = 'none',
    needs = 'any',
    from = FIRST_YEAR,
    to = ANY_LAST_YEAR,
  ]) => ({ type, title, dollars, weight, size, detail, needs, years: [from, to] }),
)
