import type { PartFamily } from './part-family.ts'

/*
 * What a buyer looks at, by kind of part. Every sentence is true of all parts of its kind, and says nothing about this
 * one: what this one is like, only its record can tell. No other part is named, nor a side, an age or a promise.
 */

/** Parts of the machine: what turns, carries, stops and breathes. */
const mechanical = {
  engine: [
    'Before you order {a part}, [check|compare] the engine code, the sensors and the [mounting points|emissions equipment] of your car.',
    'Engines of one size can differ in [intake|sensors|accessory brackets], so [compare pictures of both sides|look at both before anything comes out].',
    'Plan for fluids, gaskets and a [fresh|suitable] filter with the swap[, and flush what cools it|].',
    'Ask which accessories stay on {this noun}, since yards [keep|remove] them in different ways.',
    'The code on the block says more than the size alone; [read yours first|compare it with the listing].',
  ],
  engineInternal: [
    'Mating surfaces decide here: [measure|check] them for flatness before {it} {goes} in.',
    'Casting numbers tell [versions|engines of one size] apart, so [read yours|compare them] first.',
    'Have a machine shop look {this noun} over before assembly; [gaskets and bolts belong to the job|fasteners that stretch are replaced each time].',
    'Clearances are worth [measuring|a look with a gauge] before the engine is closed again.',
  ],
  engineCover: [
    'Compare the bolt pattern and the [openings|ports] with yours, as engines of one family [differ there|are not all alike].',
    'Sealing faces should be clean and flat; [plan a gasket|use a gasket or sealant] for the job.',
    'Threads and corners are where {this noun} [suffers|takes damage], so [look there on arrival|check those in the pictures].',
    'Count the holes and look where the [sensor|breather] sits before you order.',
  ],
  mount: [
    'Compare bolt spacing, [height|offset] and the shape of the bracket with the one on your car.',
    'Rubber ages with time as well as with distance, so [look for splits|press it by hand] before fitting {this noun}.',
    'Bearings should turn smoothly by hand; [spin yours for comparison|listen for roughness].',
    'Engines of one model can use different [brackets|versions], which the number tells apart.',
  ],
  gearbox: [
    'Match the [code|tag] on the housing of yours: ratios and [sensors|bell housings] change within one model.',
    'Check [drive type|the engine it was paired with] and the connectors before you order {a part}.',
    'Flush the cooler lines and use the fluid that the manual names[ when {it} {goes} in|].',
    'Splines, seals and the case itself deserve a look [on arrival|before installation].',
    'Some control units must learn {this noun} after the swap; [ask a shop what yours needs|plan for it].',
  ],
  driveline: [
    'Measure the length and count the splines of yours; [both vary with drive type and brakes|they change with the transmission].',
    'Boots and joints are what to look at [first|on arrival]: a torn boot lets grease out and grit in.',
    'Compare the ratio on the tag of your axle before you order {a part}.',
    'Turn the joints by hand and feel for [roughness|binding]; flanges should be flat.',
    'Brake equipment changes the ends of these shafts, so [look at yours|check for the sensor ring].',
  ],
  shifter: [
    'Gear pattern and [console shape|release button] decide whether {it} {goes} in[; compare yours|].',
    'Compare cable ends and connectors with yours, and [move|try] the lever through its range on arrival.',
    'Bushings wear at the cable end, so [look there|check for slack] first.',
  ],
  spring: [
    'Suspension is matched in pairs across an axle, so [look at the other end of yours too|compare heights with the one that stays].',
    'Ride height and [trim|drive type] change the rate; [read the tag or the paint code of yours|compare the codes].',
    'Look for [oil on the body|leaks around the seal] and for broken coating before fitting {this noun}.',
    'Seats and bushings wear with distance; [replace what is cracked|check them while all is apart].',
    'An alignment [belongs to|is part of] the job once {this part} {is} fitted.',
  ],
  arm: [
    'Bushings and joints are the wear points: [press them by hand|look for cracked rubber] before {it} {goes} in.',
    'Compare the shape and the bolt holes with yours, because [suspension versions|drive types] differ.',
    'Have the alignment [checked|set] after fitting {this part}.',
    'A straight edge along the length shows [a bend|whether it is true].',
    'Torque the bushings with the car on its wheels, or they [twist|wear early].',
  ],
  hub: [
    'Turn {it} by hand: a [rough|noisy] bearing shows itself at once.',
    'Check for the sensor ring and [count the splines|compare the bolt circle] before you order.',
    'Brake size decides which version your car has, so [measure yours|look at the carrier] first.',
    'Threads and the bore should be clean; [light rust brushes off|a wire brush helps].',
  ],
  subframe: [
    'Mounting sleeves and bushings are what to look at [first|before paying].',
    'Drive type and engine decide the [version|mounting points], so compare both.',
    'Rust inside the tubes matters more than on the outside; [tap along the seams|look into the drain holes].',
    'Plan the freight and a second pair of hands for {this noun}.',
  ],
  steering: [
    'Compare connectors, [line fittings|spline counts] and the ratio with those of your car.',
    'Look at the boots and seals for [seepage|cracks] before {it} {goes} in.',
    'Flush the fluid, where there is any, before {this noun} {is} connected.',
    'Assist differs within a model; [check the plug on yours|compare the number] before ordering.',
    'Have the alignment checked once {this part} {is} fitted.',
  ],
  rotor: [
    'Measure thickness and [runout|the wear lip] against the minimum stamped on the edge.',
    'Diameter and offset change with brake size, so [measure yours|check the code of your car].',
    'Surface rust on the friction face cleans off with the first stops; [grooves do not|deep pits do not].',
    'Brakes are serviced by axle: [do both sides|plan for the pair].',
  ],
  brakeHydraulics: [
    'Compare port positions, line threads and [plugs|bolt spacing] with yours.',
    'Bleed the system with the fluid your manual names once {it} {is} fitted.',
    'Bores and seals are where to look for [seepage|corrosion] before {it} {goes} on.',
    'Brake size and stability systems decide which version your car takes, so [read yours|compare the label].',
    'Some units need a scan tool for bleeding or coding; [ask your shop|plan for it].',
  ],
  brake: [
    'Compare mounting points and cable ends with yours before ordering {a part}.',
    'Moving pieces should slide without binding; [clean and grease them|check them by hand].',
    'Brake parts are bought by the exact number and not by looks, so [read yours|match it].',
  ],
  exhaust: [
    'Flanges and studs are what to look at: [check that they are flat|plan for gaskets and fasteners].',
    'Rust is thickest at seams and hangers, so [tap there|look there] first.',
    'Emissions equipment changes by state and engine; [read the label in your engine bay|compare sensor openings].',
    'Cracks hide near welds and ports; [a bright light finds them|look closely on arrival].',
    'Length and bends vary with wheelbase, so [measure yours|compare both ends].',
  ],
  emissions: [
    'Emissions parts are matched to the engine label, so [read yours|compare the code] first.',
    'Soot and salts build up inside; [clean the passages|look into the ports] before fitting {this noun}.',
    'Plugs and hose ends should be whole; [compare their number with yours|count the ports].',
    'Clear stored codes with a scan tool once {it} {is} fitted.',
  ],
  tank: [
    'Compare capacity, [strap points|filler side] and the ring on top with yours.',
    'Look inside for rust or sediment, and at the seams for [damp spots|stains].',
    'Shields and straps are not always part of the sale, so [ask|check the pictures].',
    'Tanks travel empty and dry; [plan the freight accordingly|ask how {it} {is} packed].',
  ],
  fuel: [
    'Fuel parts seal with rings that are replaced at each job; [order them too|have them at hand].',
    'Compare connector, flow figure and [length|clip] with yours.',
    'Check for varnish and for rust in the inlet before {it} {goes} in.',
    'Relieve the pressure before opening the line, and [work away from sparks|keep it clean].',
  ],
  intake: [
    'Check the ports and the sensor openings against yours, and look for [cracks|warped flanges].',
    'Clean the bore and the passages before fitting {this noun}[; use a gasket that suits|].',
    'Plugs and hose ends break with age, so [look at each|compare them] in the pictures.',
    'Some cars relearn idle after {this part} {is} fitted; [drive gently until then|a scan tool does it quickly].',
    'Air leaks are what cause trouble here: [inspect the sealing faces|press the seams].',
  ],
  turbo: [
    'Feel the shaft for play, and look at the wheels for [nicks|rubbing] before {it} {goes} on.',
    'Feed it clean oil: [change filter and lines|flush the feed] along with {this noun}.',
    'Compare flanges and actuator with yours, since [versions|housings] look alike.',
    'Oil in the housing tells of seals, so [wipe and look|check both sides].',
  ],
  radiator: [
    'Compare the ports, the brackets and the core size with yours.',
    'Fins bend easily and can be combed straight; [leaks at the seams cannot|tank seams matter more].',
    'Flush the system before {it} {goes} in, and bleed the air [afterwards|once filled].',
    'Seams, ports and drain are where to look for [stains|crust].',
    'Engine and transmission decide the number of lines, so [count yours|check first].',
  ],
  cooling: [
    'Compare plug, mounts and [blade count|hose sizes] with yours.',
    'Plastic turns brittle with heat, so [look for hairline cracks|check each tab].',
    'Spin moving pieces by hand: [they should turn quietly|listen for a bearing].',
    'Refill with the coolant that the manual names, and [bleed the air|check the level after a drive].',
  ],
  airCon: [
    'The system must be emptied, dried and refilled by a shop when {this noun} {is} changed.',
    'Compare clutch, pulley grooves and [hose ports|plug] with yours.',
    'Seals and oil are replaced with the job; [ask for the kind it takes|read the label in your engine bay].',
    'Ports should be capped: [moisture is what ruins these|check for open ones on arrival].',
  ],
  heater: [
    'Compare the plug, the [flange|number of pins] and the direction of turn with yours.',
    'Climate versions differ within a model, so [look at your control panel|compare the buttons] first.',
    'Leaves and dust collect here; [clean the housing|shake it out] before fitting.',
    'Gears and tabs break when forced, so [turn them by hand|check each] on arrival.',
  ],
} satisfies Partial<Record<PartFamily, readonly string[]>>

export const mechanicalChecks: Partial<Record<PartFamily, readonly string[]>> = mechanical
