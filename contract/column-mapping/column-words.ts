/* Words by which the values of a column are known where no dictionary is at hand; all in small letters. */

const listOf = (text: string): ReadonlySet<string> =>
  new Set(
    text
      .split(/[,\n]/)
      .map((word) => word.trim())
      .filter((word) => word !== ''),
  )

/** Makes sold in the US, and what yards call them. */
export const knownMakes = listOf(`
  acura, alfa romeo, aston martin, audi, bmw, bentley, buick, cadillac, chevrolet, chevy, chev, chrysler, daewoo, daihatsu,
  dodge, eagle, fiat, ferrari, fisker, ford, freightliner, gmc, genesis, geo, hummer, honda, hyundai, infiniti, isuzu,
  jaguar, jeep, kia, lamborghini, land rover, landrover, range rover, lexus, lincoln, lotus, lucid, mazda, mini,
  mini cooper, maserati, maybach, mclaren, mercedes-benz, mercedes benz, mercedes, mb, mercury, mitsubishi, nissan,
  oldsmobile, olds, panoz, plymouth, polestar, pontiac, porsche, ram, rivian, rolls-royce, srt, saab, saturn, scion,
  smart, subaru, suzuki, tesla, toyota, vinfast, volkswagen, vw, volvo, amc, datsun, international, kenworth, mack,
  peterbilt, sterling, western star, hino`)

/** The models that most cars in US yards are. */
export const commonModels = listOf(`
  accord, altima, avalon, aveo, bronco, camaro, camry, caravan, cavalier, century, charger, cherokee, grand cherokee,
  civic, challenger, cobalt, colorado, compass, corolla, cr-v, cruze, cts, cx-5, dakota, durango, edge, elantra, element,
  enclave, envoy, equinox, escalade, escape, expedition, explorer, express, f-150, f-250, f-350, f150, f250, f350, fiesta,
  fit, five hundred, flex, focus, forester, freestar, fusion, g6, golf, grand am, grand caravan, grand prix, highlander,
  hr-v, impala, impreza, jetta, journey, juke, kona, lacrosse, land cruiser, legacy, lesabre, liberty, malibu, maxima,
  mdx, mkx, mkz, murano, mustang, odyssey, optima, outback, outlander, pacifica, passat, pathfinder, patriot, pilot,
  prius, pt cruiser, quest, ranger, rav4, regal, ridgeline, rio, rogue, rx350, s10, santa fe, sebring, sedona, sentra,
  sequoia, sienna, sierra, silverado, solara, sonata, sonic, sorento, soul, spark, sportage, suburban, tacoma, tahoe,
  taurus, terrain, tiguan, titan, tl, town & country, trailblazer, transit, traverse, tsx, tucson, tundra, venza, versa,
  vue, windstar, wrangler, xterra, yaris, yukon, 3 series, 5 series, c-class, e-class, a4, a6, q5, x3, x5`)

/** Last words of what parts are called, and the short forms of yard systems. */
export const partNouns = listOf(`
  absorber, accumulator, actuator, airbag, alternator, amp, amplifier, antenna, apron, arm, armrest, ashtray, assembly,
  assy, axle, bag, balancer, bar, battery, beam, bearing, bed, bell, belt, bezel, blade, block, blower, board, body,
  booster, box, bracket, brake, brakes, buckle, bulb, bumper, cab, cable, caliper, calipers, camera, camshaft, canister,
  cap, carburetor, carpet, carrier, case, catalytic, charger, clock, cluster, clutch, coil, column, compressor, condenser,
  console, control, controller, converter, cooler, core, cover, cowl, crankshaft, crossmember, cylinder, dam, dash,
  dashboard, decklid, differential, distributor, door, driveshaft, drum, ecm, ecu, emblem, engine, evaporator, exhaust,
  fan, fender, filter, flap, flywheel, fob, frame, fuse, gate, gauge, gear, gearbox, generator, glass, grill, grille, guard,
  handle, harness, hatch, head, headlamp, headlight, headliner, headrest, heater, hinge, hitch, holder, hood, horn, hose,
  housing, hub, injector, intake, intercooler, inverter, jack, joint, key, kit, knob, knuckle, lamp, latch, leaf, lid,
  liftgate, light, lights, liner, linkage, lock, manifold, mat, mirror, mirrors, module, motor, mount, moulding, molding,
  muffler, neck, nut, pad, pan, panel, pedal, pillar, pipe, piston, plate, port, post, pulley, pump, rack, radar, radiator,
  radio, rail, regulator, reinforcement, reservoir, resonator, rim, rod, roof, rotor, screen, seat, seats, sensor, shaft,
  shield, shifter, shock, shroud, skirt, spare, speaker, speedometer, spindle, spoiler, spring, stabilizer, starter, stereo,
  strut, subframe, sunroof, supercharger, support, suspension, switch, system, tailgate, taillight, tank, tensioner,
  thermostat, throttle, tire, tires, top, track, trans, transmission, tray, trim, trunk, tube, turbo, turbocharger, vacuum,
  valve, vent, visor, washer, weatherstrip, wheel, wheels, winch, window, windshield, wing, wiper, wiring, yoke,
  panels, bumpers, grilles, doors, electrical, electronics, modules, interior, lighting, lamps, restraints, steering,
  drivetrain, towing, washers, cooling, heating, emissions, filters, sensors, pumps, hoses`)

/** What yards call the groups that parts are in. */
export const partGroups = listOf(`
  accessories, air & fuel, air conditioning, axle, body, body panels, brake, brakes, bumpers & grilles, climate control, cooling,
  cooling & heating, doors & glass, drivetrain, electrical, electronics, electronics & modules, emissions, engine,
  engine parts, exhaust, exhaust & emissions, exterior, front end, fuel, fuel & air intake, glass, heating,
  hybrid & electric drive, interior, lighting, lights, mirrors, rear end, seats & restraints, steering, suspension,
  suspension & steering, transmission, transmission & drivetrain, truck & towing, wheels, wheels & tires,
  wipers & washers`)

export const knownTrims = listOf(`
  base, le, se, xle, xse, ce, lx, ex, ex-l, exl, dx, ls, lt, ltz, l, s, sv, sl, sr, sr5, xl, xlt, lariat, limited, ltd,
  sport, touring, gt, gls, gl, gs, sxt, slt, laramie, big horn, st, sel, titanium, platinum, premium, luxury, signature,
  denali, sle, premier, z71, work truck, wt, king ranch, rubicon, sahara, laredo, overland, latitude, trailhawk, altitude,
  r/t, rt, srt, srt8, type s, type r, si, tech, technology, advance, a-spec, xrs, trd,
  trd off road, trd sport, nismo, 2.5i, 2.5 s, 3.5 sl, 3.5 sv, wolfsburg, tdi, sportback, quattro, base trim, special,
  custom, classic, eddie bauer, xls, xlt sport, fx4, fx2, raptor, stx, svt, cobra, mach 1, cxl, cx, cxs, t5, t6`)

export const cities = listOf(`
  akron, albany, albuquerque, alexandria, allentown, amarillo, anaheim, anchorage, ann arbor, arlington, atlanta, augusta,
  aurora, austin, bakersfield, baltimore, baton rouge, beaumont, billings, birmingham, boise, boston, bridgeport,
  brooklyn, brownsville, buffalo, canton, cedar rapids, chandler, charleston, charlotte, chattanooga, chesapeake, chicago,
  cincinnati, clarksville, cleveland, colorado springs, columbia, columbus, corpus christi, dallas, davenport, dayton,
  denver, des moines, detroit, duluth, durham, el paso, elizabeth, erie, eugene, evansville, fargo, fayetteville, flint,
  fort collins, fort lauderdale, fort smith, fort wayne, fort worth, fremont, fresno, gary, glendale, grand rapids,
  green bay, greensboro, greenville, hartford, henderson, hialeah, honolulu, houston, huntsville, indianapolis, irving,
  jackson, jacksonville, jersey city, joplin, kansas city, knoxville, lakeland, lansing, laredo, las vegas, lexington,
  lincoln, little rock, long beach, los angeles, louisville, lubbock, macon, madison, manchester, mcallen, memphis, mesa,
  miami, milwaukee, minneapolis, mobile, modesto, montgomery, nashville, new haven, new orleans, new york, newark,
  newport news, norfolk, norman, oakland, ocala, odessa, oklahoma city, omaha, ontario, orlando, oxnard, pasadena, peoria,
  philadelphia, phoenix, pittsburgh, plano, portland, providence, provo, pueblo, quincy, raleigh, reno, richmond,
  riverside, rochester, rockford, sacramento, saint paul, salem, salt lake city, san antonio, san bernardino, san diego,
  san francisco, san jose, santa ana, savannah, scottsdale, scranton, seattle, shreveport, sioux falls, south bend,
  spokane, springfield, st. louis, st louis, st. paul, st. petersburg, stockton, syracuse, tacoma, tallahassee, tampa,
  tempe, toledo, topeka, trenton, tucson, tulsa, tyler, virginia beach, waco, washington, wichita, wilmington,
  winston-salem, worcester, yakima, yonkers, youngstown`)

/** US states and territories with the digits that their zip codes begin with; Canada's provinces have none. */
const statesText = `al alabama 3, ak alaska 9, az arizona 8, ar arkansas 7, ca california 9, co colorado 8, ct connecticut 0,
  de delaware 1, dc district_of_columbia 2, fl florida 3, ga georgia 3, hi hawaii 9, id idaho 8, il illinois 6, in indiana 4,
  ia iowa 5, ks kansas 6, ky kentucky 4, la louisiana 7, me maine 0, md maryland 2, ma massachusetts 0, mi michigan 4,
  mn minnesota 5, ms mississippi 3, mo missouri 6, mt montana 5, ne nebraska 6, nv nevada 8, nh new_hampshire 0,
  nj new_jersey 0, nm new_mexico 8, ny new_york 1, nc north_carolina 2, nd north_dakota 5, oh ohio 4, ok oklahoma 7,
  or oregon 9, pa pennsylvania 1, pr puerto_rico 0, ri rhode_island 0, sc south_carolina 2, sd south_dakota 5, tn tennessee 3,
  tx texas 7, ut utah 8, vt vermont 0, va virginia 2, wa washington 9, wv west_virginia 2, wi wisconsin 5, wy wyoming 8,
  on ontario -, qc quebec -, bc british_columbia -, ab alberta -, mb manitoba -, sk saskatchewan -, ns nova_scotia -`

const stateEntries = [...listOf(statesText)].map((entry) => {
  const [code = '', name = '', zipDigit = ''] = entry.split(' ')
  return { code, name: name.replaceAll('_', ' '), zipDigit }
})

export const stateCodes: ReadonlySet<string> = new Set(stateEntries.map(({ code }) => code))
export const stateNames: ReadonlySet<string> = new Set(stateEntries.map(({ name }) => name))
/** State, by code or name → the first digit of its zip codes. */
export const zipDigits: ReadonlyMap<string, string> = new Map(
  stateEntries.flatMap(({ code, name, zipDigit }) => [
    [code, zipDigit],
    [name, zipDigit],
  ]),
)
