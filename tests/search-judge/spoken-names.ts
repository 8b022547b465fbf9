/*
 * What buyers call parts, makes and models, for the queries drawn from the stock. Written beside the queries by hand,
 * before the search; like them it is never changed to please the search.
 */

/** Part type: what buyers say. A word said of several types may mean each of them. */
const PARTS = `
A/C Compressor: ac compressor, a/c compressor, a/c pump, air conditioning compressor
A/C Condenser: ac condenser, a/c condenser
ABS Pump: abs pump, abs module, antilock brake pump, abs unit
Air Bag Control Module: airbag module, airbag computer, srs module
Air Cleaner Box: air box, airbox, air filter housing, air filter box
Air Vent: dash vent, air vent
Alloy Wheel: rim, alloy wheel, aluminum wheel, wheel, alloy rim
Alternator: alternator, generator
Amplifier: amp, amplifier, radio amp
Automatic Transmission: transmission, tranny, automatic transmission, auto trans, gearbox
Back Glass: back glass, rear window, rear windshield, back window
Backup Camera: backup camera, rear view camera, reverse camera
Belt Tensioner: belt tensioner, serpentine tensioner
Blower Motor: blower motor, heater fan, heater blower
Body Control Module: bcm, body control module, body computer
Brake Booster: brake booster
Brake Caliper: caliper, brake caliper
Brake Rotor: rotor, brake disc, brake rotor
Bumper Reinforcement: bumper reinforcement, impact bar, bumper bar
Cargo Cover: cargo cover, cargo shade
Center Console: center console, console
Climate Control Panel: climate control, heater control, ac control, temperature control
Clock Spring: clockspring, clock spring
Coil Spring: coil spring
Coolant Reservoir: coolant reservoir, overflow bottle, coolant tank, expansion tank
Core Support: radiator support, core support
Curtain Air Bag: curtain airbag, roof airbag
CV Axle: cv axle, axle shaft, half shaft, cv shaft
Cylinder Head: cylinder head, engine head
Dashboard: dash, dashboard, dash panel
Daytime Running Lamp: drl, daytime running light
Differential: differential, diff
Display Screen: navigation screen, touch screen, display screen
Dome Lamp: dome light, interior light
Door Glass: door glass, door window
Door Lock Actuator: door lock actuator, door latch, lock actuator
Door Mirror: side mirror, mirror, side view mirror, door mirror, wing mirror
Door Trim Panel: door panel, door card, interior door panel
Driveshaft: driveshaft, drive shaft, prop shaft
EGR Valve: egr valve, egr
Engine Assembly: engine, motor, complete engine
Engine Control Module: ecm, ecu, pcm, engine computer, engine control module
Engine Mount: motor mount, engine mount
Exhaust Manifold: exhaust manifold
Exhaust Pipe: exhaust pipe, tail pipe
Fender: fender, front fender, wing
Fender Liner: fender liner, inner fender, splash shield
Floor Mat: floor mats
Fog Lamp: fog light, foglight, fog lamp
Front Bumper Assembly: front bumper, bumper
Front Bumper Cover: front bumper cover, front fascia, front bumper, bumper cover
Front Door: front door, door
Front Seat: front seat, bucket seat, seat
Fuel Injector: fuel injector, injector
Fuel Pump: fuel pump, gas pump
Fuel Tank: gas tank, fuel tank, petrol tank
Fuse Box: fuse box, fuse block, fuse panel
Gas Pedal: gas pedal, accelerator pedal
Glove Box: glovebox, glove box, glove compartment
Grille: grille, grill
Harmonic Balancer: harmonic balancer, crank pulley
Headlamp Assembly: headlight, head light, headlamp, head lamp, headlight assembly
Headlamp Ballast: hid ballast, xenon ballast
Headlight Switch: headlight switch, light switch
Headrest: headrest, head rest
Hood: hood, bonnet
Ignition Coil: ignition coil, coil pack
Ignition Switch: ignition switch, ignition lock
Inside Door Handle: inside door handle, interior door handle, door handle
Instrument Cluster: instrument cluster, gauge cluster, speedometer, dash cluster, speedo
Intake Manifold: intake manifold, intake
Key Fob: key fob, remote key, smart key
Liftgate: liftgate, hatch, lift gate
Lower Control Arm: lower control arm, control arm
Manual Transmission: manual transmission, transmission, gearbox, stick shift transmission
Mass Air Flow Sensor: maf sensor, mass air flow sensor, maf
Master Cylinder: brake master cylinder, master cylinder
Mirror Glass: mirror glass
Muffler: muffler, silencer
Oil Pan: oil pan, oil sump
Outside Door Handle: door handle, outside door handle, exterior door handle
Parking Sensor: parking sensor, park assist sensor
Power Steering Pump: power steering pump, steering pump
Quarter Glass: quarter glass, quarter window
Quarter Panel: quarter panel, rear quarter
Radiator: radiator, rad
Radiator Fan: radiator fan, cooling fan, electric fan
Radio: radio, stereo, head unit, cd player
Rear Bumper Assembly: rear bumper, back bumper, bumper
Rear Door: rear door, back door, door
Rear Seat: rear seat, back seat, seat
Rear View Mirror: rear view mirror, inside mirror
Rear Wiper Motor: rear wiper motor
Roof Rack: roof rack, luggage rack
Running Board: running board, side step
Seat Belt: seat belt, seatbelt
Shifter Assembly: shifter, gear shifter
Shock Absorber: shock, shock absorber
Spare Wheel: spare tire, spare wheel, donut
Speaker: speaker, door speaker
Spoiler: spoiler, rear spoiler
Stabilizer Bar: sway bar, stabilizer bar
Starter Motor: starter, starter motor
Steel Wheel: steel wheel, steelie, rim, wheel
Steering Column: steering column
Steering Gear: rack and pinion, steering rack, steering gear
Steering Knuckle: spindle, knuckle, steering knuckle
Steering Wheel: steering wheel
Steering Wheel Air Bag: driver airbag, steering wheel airbag
Strut: strut, strut assembly
Subframe: subframe, crossmember, engine cradle
Sun Visor: sun visor, visor, sunvisor
Sunroof Assembly: sunroof, moonroof
Tail Lamp Assembly: tail light, taillight, tail lamp, taillamp, rear light
Tailgate: tailgate, tail gate
Third Brake Light: third brake light, high mount stop lamp
Third Row Seat: third row seat, 3rd row seat
Throttle Body: throttle body
Timing Cover: timing cover, timing chain cover
Tonneau Cover: tonneau cover, bed cover
Tow Mirror: tow mirror, towing mirror, side mirror, mirror, side view mirror, wing mirror
Trailer Hitch: trailer hitch, tow hitch, receiver hitch, hitch
Transfer Case: transfer case, t-case
Transmission Control Module: tcm, transmission computer
Transmission Mount: transmission mount, trans mount
Truck Bed: truck bed, pickup bed, bed
Trunk Lid: trunk lid, deck lid, boot lid, trunk
Turbocharger: turbo, turbocharger
Turn Signal Lamp: turn signal, blinker
Turn Signal Switch: turn signal switch, multifunction switch
Upper Control Arm: upper control arm, control arm
Valve Cover: valve cover
Washer Reservoir: washer bottle, washer fluid tank, washer reservoir
Wheel Cover: hubcap, hub cap, wheel cover
Wheel Hub: wheel bearing, hub bearing, wheel hub
Window Regulator: window regulator, window motor
Window Switch: window switch, power window switch, master window switch
Wiper Motor: wiper motor, windshield wiper motor, front wiper motor
Wiper Linkage: wiper linkage, wiper transmission
`

/** Vehicles (as the judge matches them): what buyers say for one of them. The first vehicle is the one drawn. */
const MODELS = `
Ford/F-150: f150, f-150, f 150, ford f150, ford f 150
Ford/F-250 Super Duty; Ford/F-250*: f250, f-250, f 250, ford f250
Chevrolet/Silverado 1500; Chevrolet/Silverado*: silverado, chevy silverado
Chevrolet/Silverado 1500: silverado 1500, silverado1500, chevy 1500
Chevrolet/Silverado 2500 HD; Chevrolet/Silverado 2500*: silverado 2500, silverado 2500hd, chevy 2500
GMC/Sierra 1500; GMC/Sierra*: sierra, gmc sierra
GMC/Sierra 1500: sierra 1500, gmc sierra 1500, gmc 1500
Ram/1500; Dodge/Ram 1500; Ram/1500 Classic: ram 1500, ram1500, dodge ram 1500
Dodge/Ram 1500; Ram/1500; Ram/1500 Classic: ram 1500, ram1500, dodge ram 1500
Ram/2500; Dodge/Ram 2500: ram 2500, ram2500, dodge ram 2500
Dodge/Grand Caravan; Dodge/Caravan: caravan, dodge caravan
Dodge/Grand Caravan: grand caravan, gr caravan, dodge grand caravan
Chrysler/Town & Country: town and country, town & country, town country, chrysler t&c
Chrysler/300: chrysler 300
Chrysler/200: chrysler 200
Jeep/Grand Cherokee: grand cherokee, jeep grand cherokee, gr cherokee
Jeep/Wrangler; Jeep/Wrangler*: wrangler, jeep wrangler
Honda/CR-V: crv, cr-v, cr v, honda crv
Toyota/RAV4: rav4, rav 4, rav-4, toyota rav4
Toyota/4Runner: 4runner, 4 runner, toyota 4runner
Hyundai/Santa Fe: santa fe, santafe, hyundai santa fe
MAZDA/MAZDA3: mazda 3, mazda3
MAZDA/MAZDA6: mazda 6, mazda6
MAZDA/CX-5: cx5, cx-5, cx 5, mazda cx5
BMW/3 Series: 328i, bmw 328i, bmw 3 series, 325i, beemer 3 series
BMW/5 Series: 528i, bmw 535i, bmw 5 series
BMW/X3: bmw x3, x3
BMW/X5: bmw x5, x5
Mercedes-Benz/C-Class: c300, mercedes c300, c class, merc c class, mercedes c-class
Mercedes-Benz/E-Class: e350, mercedes e350, e class, mercedes e-class
Lexus/RX: lexus rx, rx350, lexus rx350, rx 350
Lexus/ES: es350, lexus es, lexus es350
Lexus/IS: is250, lexus is, lexus is250
Acura/TL: acura tl
Acura/MDX: mdx, acura mdx
INFINITI/G: g35, infiniti g35, g37
Audi/A4: audi a4, a4
Audi/Q5: audi q5, q5
Chevrolet/Trailblazer: trailblazer, trail blazer, chevy trailblazer
Volkswagen/Jetta: jetta, vw jetta
Volkswagen/Passat: passat, vw passat
Volkswagen/Tiguan: tiguan, vw tiguan
Volvo/XC90: xc90, xc 90, volvo xc90
Land Rover/Range Rover: range rover
Tesla/Model S: tesla model s, model s
Tesla/Model 3: tesla model 3, model 3
Chevrolet/Tahoe: tahoe, chevy tahoe, tahoe chevy
Chevrolet/Malibu: malibu, chevy malibu
Chevrolet/Impala: impala, chevy impala
Chevrolet/Equinox: equinox, chevy equinox
Chevrolet/Traverse: traverse, chevy traverse
Chevrolet/Cruze: cruze, chevy cruze
`

const MAKES: Readonly<Record<string, readonly string[]>> = {
  Chevrolet: ['chevy', 'chevrolet', 'chev'],
  Volkswagen: ['vw', 'volkswagen'],
  'Mercedes-Benz': ['mercedes', 'merc', 'benz'],
  BMW: ['bmw', 'beemer'],
  'Land Rover': ['land rover', 'landrover'],
}

type Names = { of: string[]; said: string[] }

const readNames = (table: string): Names[] =>
  table
    .trim()
    .split('\n')
    .map((line) => {
      const [of = '', said = ''] = line.split(': ')
      return { of: of.split('; '), said: said.split(', ') }
    })

const parts = readNames(PARTS)
const models = readNames(MODELS)

/** What buyers say for this part type, each with all types that it may mean. */
export function saidForPart(type: string): { words: string; parts: string[] }[] {
  const said = parts.find(({ of }) => of.includes(type))?.said ?? [type.toLowerCase()]
  const meaning = (words: string) => parts.flatMap(({ of, said }) => (said.includes(words) ? of : []))
  return said.map((words) => ({ words, parts: meaning(words).length > 0 ? meaning(words) : [type] }))
}

/** What buyers say for this vehicle, each with all vehicles that it may mean. */
export function saidForVehicle(make: string, model: string): { words: string; vehicles: string[] }[] {
  const vehicle = `${make}/${model}`
  const known = models.filter(({ of }) => of[0] === vehicle)
  const plain = model.toLowerCase()
  const said = saidForMake(make)
  // "200" alone is no model to anybody; "camry" is.
  const names = /[a-z]{4}/.test(plain) ? [plain, plain, ...said.map((word) => `${word} ${plain}`)] : []
  const full = names.length > 0 ? names : said.map((word) => `${word} ${plain}`)
  if (known.length === 0) return full.map((words) => ({ words, vehicles: [vehicle] }))
  return known.flatMap(({ of, said }) => said.map((words) => ({ words, vehicles: of })))
}

export function saidForMake(make: string): readonly string[] {
  return MAKES[make] ?? [make.toLowerCase()]
}
