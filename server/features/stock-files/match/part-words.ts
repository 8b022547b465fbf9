/* Words of parts and of yards' sections, as singular, spelled-out words (see `partWords`). */

const wordsIn = (text: string): ReadonlySet<string> => new Set(text.split(/\s+/))

/** Words that say where or how a part is, not what it is. They may follow the part: "door glass front". */
export const QUALIFIERS = wordsIn(`
  front rear upper lower inner outer inside outside exterior interior center middle side top bottom back
  driver passenger assembly complete power electric manual heated cooled folding adjustable automatic chrome painted primed
  black white silver gray grey red blue green tan beige leather cloth vinyl halogen led xenon hid pickup truck van sedan coupe
  wagon sport base standard premium heavy duty hd 2wd 4wd awd fwd rwd door-mounted kit pair type style code color view mounted
  aftermarket rebuilt remanufactured reman core only less bare oe nos
`)

/** Small parts that are named after a larger one and are none themselves: an alternator bracket is not an alternator. */
export const PIECES = wordsIn(`
  arm bag bar base bearing belt bezel block bolt boot box bracket brace bulb bumper bushing button cable cap case clamp clip coil
  compressor condenser connector control cooler cover crossmember cushion cylinder door duct element fan fastener filter fitting
  flap foam frame fuse garnish gasket gauge gear glass guard guide handle hardware harness hinge hook hose housing hub insert
  insulation jack key knob lamp latch lens lever light line lining link linkage liner lip lock mat module molding motor mount
  nut pad panel pedal pigtail pin pipe pivot plate plug pocket pulley pump rack rail receiver regulator reinforcement relay
  reservoir resistor retainer rim ring rivet rod roller rubber screen screw seal seat sender sensor shade shaft shell shield
  shim shroud skin sleeve socket solenoid spacer spring sprocket stand stay stop strap stud support surround switch tank
  tape tensioner terminal tray trim tube unit valve vent visor washer weatherstrip wheel window wire wiring
`)

/** Names of one word that alone mean a part, but with another noun beside them may be any: a caliper's piston. */
export const LOOSE = wordsIn(`
  amp badge blinker buckle cam canopy cat chassis clutch column console converter cowl crank damper dash diff drum frame
  gauges generator grille hatch head hub intake jack kickstand knuckle mat motor pad piston rebar rocker roof rotor shell
  shock spindle spring stereo throttle tire wing
`)

const BODY = ['Body Panels', 'Bumpers & Grilles', 'Doors & Glass', 'Mirrors', 'Lighting', 'Truck & Towing']
const ENGINE = ['Engine', 'Fuel & Air Intake', 'Cooling & Heating', 'Electrical', 'Exhaust & Emissions']
const DRIVELINE = ['Transmission & Drivetrain']
const CLIMATE = ['Cooling & Heating']
const CABIN = ['Interior', 'Seats & Restraints']
const WIRING = ['Electrical', 'Electronics & Modules', 'Lighting', 'Wipers & Washers']

/** What yards call whole sections of their stock, and the groups of categories that belong to each; none for "Misc". */
export const SECTIONS: ReadonlyMap<string, readonly string[]> = new Map<string, readonly string[]>([
  ...keyed(BODY, 'body,exterior,body part,exterior part,sheet metal,panel,body panel,front end,front clip,rear clip'),
  ...keyed(['Doors & Glass'], 'door,glass,window,door and glass,door part'),
  ...keyed(['Mirrors'], 'mirror'),
  ...keyed(['Bumpers & Grilles'], 'bumper'),
  ...keyed(['Lighting'], 'light,lamp,lighting,head and tail light'),
  ...keyed(['Wheels & Tires'], 'wheel,tire,wheel and tire,rim and tire'),
  ...keyed(DRIVELINE, 'transmission,drivetrain,driveline,drive train,axle,gearbox,powertrain,clutch and transmission'),
  ...keyed(['Brakes'], 'brake,braking,brake system'),
  ...keyed(WIRING, 'electrical,electronic,electric,wiring,electrical part,computer,module,sensor,switch'),
  ...keyed(CABIN, 'interior,interior part,trim,interior trim,cabin'),
  ...keyed(['Seats & Restraints'], 'seat,restraint,safety,air bag,airbag,seat belt and air bag,srs'),
  ...keyed(['Suspension & Steering'], 'suspension,steering,suspension and steering,chassis,steering and suspension'),
  ...keyed(ENGINE, 'engine,motor,engine part,mechanical,engine component,under hood,powerplant'),
  ...keyed(CLIMATE, 'cooling,heating,hvac,ac,air conditioning,climate,heater,cooling system,ac and heating,heating and cooling'),
  ...keyed(['Exhaust & Emissions'], 'exhaust,emission,exhaust system'),
  ...keyed(['Fuel & Air Intake'], 'fuel,fuel system,air intake,intake,fuel and air,air and fuel'),
  ...keyed(['Electronics & Modules'], 'audio,radio and audio,infotainment,stereo and audio'),
  ...keyed(['Wipers & Washers'], 'wiper,wiper and washer'),
  ...keyed(['Truck & Towing'], 'towing,truck part,tow,hitch'),
  ...keyed(['Hybrid & Electric Drive'], 'hybrid,ev'),
  ...keyed([], 'misc,miscellaneous,other,part,auto part,car part,general,hardware,accessory,used,used part,oem,unknown'),
])

function keyed(groups: readonly string[], words: string): [string, readonly string[]][] {
  return words.split(',').map((word) => [word, groups])
}
