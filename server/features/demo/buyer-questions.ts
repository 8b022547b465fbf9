/** What a buyer asks and what the yard says to it. `{car}` stands for the car, `{number}` for the part number. */
export type Exchange = { question: string; answer: string }

type Row = readonly [question: string, answer: string]

// By the names of part-types.csv: nobody asks for the compression of a mirror.
const byPart: readonly (readonly [parts: RegExp, ...rows: Row[]])[] = [
  [
    /^(Engine Assembly|Engine Block|Cylinder Head)$/,
    [
      'What were the compression numbers on the {car} this came out of?',
      'Even on all cylinders. We have the test sheet here and can mail you a picture of it.',
    ],
    [
      'Can you tell me the last eight of the VIN? I want to be sure it is the right engine code for my {car}.',
      'Sure, call the counter and we will read you the whole VIN and the casting numbers.',
    ],
  ],
  [
    /^(Oil Pan|Valve Cover|Timing Cover|Intake Manifold|Throttle Body|Air Cleaner Box|Water Pump)$/,
    [
      'Are the gasket surfaces clean, or do I have to plan a day with the scraper?',
      'Clean and flat. Please use a new gasket all the same, we do not send the old one.',
    ],
    [
      'Is there any crack or stripped thread in it? The one on my {car} was helped along by somebody.',
      'No cracks, and every bolt hole is good. We looked at it again just now.',
    ],
  ],
  [
    /Transmission$|^(Transfer Case|Differential|Rear Axle Assembly|Torque Converter)$/,
    [
      'Is there a warranty on this if it turns out bad once it is in my {car}?',
      'Yes, 90 days parts exchange. Labor is not covered. Please change the fluid first.',
    ],
    [
      'Do you know the tag code? Mine is a {car} and there are two versions.',
      'The tag is still on it. Send us yours and we will compare before you drive out here.',
    ],
  ],
  [
    /^(CV Axle|Driveshaft|Wheel Hub|Steering Knuckle|.+ Control Arm|Strut|Shock Absorber|Stabilizer Bar|Subframe)$/,
    [
      'Any play in it, and is there rust where it bolts up? I am doing both sides of my {car}.',
      'Checked, no play, only surface rust. We may have the other side too, let us look.',
    ],
  ],
  [
    /^(Alternator|Starter Motor|Power Steering Pump|A\/C Compressor|Blower Motor|Wiper Motor|Rear Wiper Motor)$/,
    [
      'Was this tested? My {car} has been through two rebuilt ones already.',
      'Bench tested when it came off, it runs as it should. 30-day exchange.',
    ],
    [
      'Could you send a close-up of the plug? My {car} was built in the year they changed it.',
      'Picture is on its way. Count the pins on yours before you order, please.',
    ],
  ],
  [
    /^(Steering Gear|Steering Column|Steering Wheel|Electric Steering Motor)$/,
    [
      'Did the air bag go off in the {car} this came from?',
      'No, it did not. It was hit low in the rear and nothing fired.',
    ],
  ],
  [
    /Lamp|Light$/,
    [
      'Are all the mounting tabs there, and is the lens free of cracks? It is for a {car}.',
      'All tabs are good and the lens is clear, only light haze on the top edge.',
    ],
    [
      'Does it come with the bulbs and the wiring pigtail?',
      'Bulbs yes, the pigtail is a few inches long so that you can splice it.',
    ],
  ],
  [
    /^(Hood|Fender|Liftgate|Trunk Lid|Quarter Panel|Front Door|Rear Door|Sliding Door|Tailgate|Truck Bed)$/,
    [
      'Any rust, filler or repaired spots on this? I want it for a {car} that never saw salt.',
      'No filler and no rust through, what there is you see in the pictures. You are welcome to look at it.',
    ],
    [
      'What is the paint code? Hoping I can hang it on my {car} without painting.',
      'The code is on the tag, call us and we will read it to you. Expect it to be a shade off, they all fade.',
    ],
  ],
  [
    /Bumper (Assembly|Cover)$|^Grille$/,
    [
      'Is it one with holes for parking sensors? My {car} has four of them.',
      'We will look at the back of it and send you a picture this afternoon.',
    ],
    [
      'How would you ship something this size to a body shop? We have a dock.',
      'On a pallet. With a dock and a business address it is cheaper, send us the ZIP code.',
    ],
  ],
  [
    /^(Door Glass|Quarter Glass|Back Glass)$/,
    [
      'Is this the tinted one? My {car} has privacy glass in the back.',
      'It is factory glass. We hold it up to the light and send you a picture.',
    ],
  ],
  [
    /^(Window Regulator|Door Lock Actuator|Window Switch|.+ Door Handle)$/,
    [
      'Did it work before it came off? Mine on the {car} gave up in the rain, of course.',
      'It did, we try every one before we pull it. 30-day exchange.',
    ],
  ],
  [
    /^(Door Mirror|Tow Mirror)$/,
    [
      'Is this heated, and does it have the turn signal in it? My {car} has both.',
      'Count the wires on yours and compare with the picture of the plug that we just sent.',
    ],
  ],
  [
    /^(Dashboard|Center Console|Glove Box|Sun Visor|Door Trim Panel|Air Vent|Cup Holder|Floor Mat|Cargo Cover|Headrest)$/,
    [
      'What color is it exactly? The {car} came in two grays that year.',
      'The trim code is on the tag, we will read it to you. A picture in daylight is on its way.',
    ],
    ['Any smell of smoke in it? I am sensitive to that.', 'None at all, the car belonged to a non-smoker.'],
  ],
  [
    /^(Front Seat|Rear Seat|Third Row Seat)$/,
    [
      'Are the tracks and the belt buckles included? And did a bag go off in the {car}?',
      'Tracks and buckles are on it, and no bag went off.',
    ],
  ],
  [
    /^(Alloy|Steel|Spare) Wheel$/,
    [
      'Is it straight? I bought one elsewhere that shook at 60.',
      'We spun it on the balancer and it runs true. If it does not on your car, bring it back within 30 days.',
    ],
    [
      'Do you have four of them for my {car}? I would take the set.',
      'Two more in the rack. We are looking for a fourth and will call you.',
    ],
  ],
  [
    /^(Radiator|A\/C Condenser|Heater Core|Intercooler|Fuel Tank|DEF Tank)$/,
    [
      'Was it pressure tested? I do not want to do this twice on my {car}.',
      'It held 15 pounds for half an hour. 30-day exchange all the same.',
    ],
  ],
  [
    /^(Exhaust Manifold|Exhaust Pipe|Muffler)$/,
    [
      'Are the flange studs still good, or snapped like on my {car}?',
      'All studs are there and the nuts turn. We ran a tap over them.',
    ],
  ],
  [
    /Module$|^(Instrument Cluster|Radio|Display Screen|Fuse Box|ABS Pump)$/,
    [
      'Will this need to be programmed to my {car}, or is it plug and play?',
      'Some need to learn the VIN. Any dealer or a locksmith with the tool does that in half an hour.',
    ],
    [
      'The number on mine ends with another letter than {number}. Does that matter?',
      'A later letter replaces an earlier one. Tell us yours and we will look it up before you pay.',
    ],
  ],
  [
    /^(Tonneau Cover|Trailer Hitch|Running Board|Roof Rack)$/,
    [
      'Is the hardware included? I would put it on my {car} this weekend.',
      'All bolts are in a bag taped to it. Two people can mount it in an hour.',
    ],
  ],
  [
    /^(Hybrid Battery|Power Inverter|Electric Drive Motor|On-Board Charger)$/,
    [
      'What did it read before it came out of the {car}? And can you ship high voltage parts?',
      'No stored faults, we have the readout. It ships by freight with our certified carrier, or you pick it up.',
    ],
  ],
]

const anyPart: readonly Row[] = [
  [
    'Is this still available? I could pick it up on Saturday.',
    'Yes, it is on the shelf with your name on it. We are open until one on Saturdays.',
  ],
  [
    'Would you take a little less if I pay cash and pick it up?',
    'We can do five percent for cash. Ask for us at the counter.',
  ],
  [
    'What would it cost to get it to a residential address? I am two states over.',
    'Send us your ZIP code and we will give you the exact amount today.',
  ],
  [
    'Will number {number} fit my {car}? The dealer says mine is superseded.',
    'Yes, the newer number replaces it. If it does not fit, it comes back, no restocking fee.',
  ],
  [
    'Could you hold it until Friday? The {car} goes on the lift then.',
    'Held until Friday evening. Please call if you need longer.',
  ],
  [
    'Can you send two more pictures, one of the back and one of the label?',
    'Just took them, they are on their way to you.',
  ],
  [
    'We are a shop and would need an invoice without sales tax. Is that possible?',
    'Yes, send us your resale certificate and we put it on file.',
  ],
  [
    'What is your return policy if my mechanic says it is the wrong one?',
    '30 days, as long as our paint marks are on it.',
  ],
  [
    'Was the {car} a local car? I would rather not buy one from the salt belt.',
    'Yes, bought new in this county and never far from it.',
  ],
  [
    'My {car} was built in March, and I know there was a change in the middle of the year. Can you check?',
    'Read us the last eight of your VIN over the phone and we will look it up both ways.',
  ],
]

const toExchange = ([question, answer]: Row): Exchange => ({ question, answer })
const special = byPart.map(([parts, ...rows]) => ({ parts, exchanges: rows.map(toExchange) }))
const general = anyPart.map(toExchange)

/** What may be asked about a part of this type: what fits it alone, and what fits any part. */
export function exchangesFor(partType: string): {
  special: readonly Exchange[]
  general: readonly Exchange[]
} {
  return { special: special.find(({ parts }) => parts.test(partType))?.exchanges ?? [], general }
}
