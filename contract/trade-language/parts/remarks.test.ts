import { expect, test } from 'vitest'
import { testVocabulary } from '#tests/support/test-vocabulary.ts'

const { partNames } = testVocabulary

test.each([
  ['SIDE MIRROR LH, LIGHT SURFACE RUST', 'SIDE MIRROR LH', 'LIGHT SURFACE RUST'],
  ['RADIO/AUDIO, NO CRACKS', 'RADIO/AUDIO', 'NO CRACKS'],
  ['RADIO/AUDIO,NICE', 'RADIO/AUDIO', 'NICE'],
  ['AXLE SHAFT,SMALL SCRATCH, SEE PHOTO', 'AXLE SHAFT', 'SMALL SCRATCH, SEE PHOTO'],
  ['passenger side seat, front … light surface rust', 'passenger side seat, front', 'light surface rust'],
  ['Hood (small dent)', 'Hood', 'small dent'],
  ['Tail light - cracked lens, works', 'Tail light', 'cracked lens, works'],
  ['Faro izquierdo, probado', 'Faro izquierdo', 'probado'],
  ['Hood, aluminum', 'Hood, aluminum', ''],
  ['Amplifier, in trunk', 'Amplifier', 'in trunk'],
  ['Speaker, front door', 'Speaker, front door', ''],
  ['Bumper, Rear', 'Bumper, Rear', ''],
  ['Alternator, 1,200 amp', 'Alternator, 1,200 amp', ''],
  ['Fender, nice, left', 'Fender, nice, left', ''],
  ['Good Year tire', 'Good Year tire', ''],
  ['Headlight. Ballast missing', 'Headlight', 'Ballast missing'],
  ['Steering wheel. Airbag not included', 'Steering wheel', 'Airbag not included'],
  ['Radiator, AC condenser attached', 'Radiator', 'AC condenser attached'],
  ['Frt. Bumper cover, scratched', 'Frt. Bumper cover', 'scratched'],
  ['Eng. Cover cracked', 'Eng. Cover cracked', ''],
])('the name of “%s” is “%s”', (text, name, remark) => {
  expect(partNames.withoutRemarks(text)).toMatchObject({ name, remark })
})

test.each([
  ['SIDE MIRROR LH, LIGHT SURFACE RUST', '', 'Door Mirror'],
  ['RADIO/AUDIO, NO CRACKS', '', 'Radio'],
  ['passenger side seat, front … light surface rust', '', 'Front Seat'],
  ['HOOD, LIGHT SCRATCHES ON LEFT', '', 'Hood'],
  ['Hood, aluminum', 'Hood', 'Hood'],
  ['ECM, BY GLOVE BOX', '', 'Engine Control Module'],
  ['ECM BY GLOVE BOX', '', 'Engine Control Module'],
  ['Amplifier, in trunk', '', 'Amplifier'],
  ['Speaker, front door', '', 'Speaker'],
  ['Antenna - roof panel', '', 'Antenna'],
  ['Mirror, door, left', '', 'Door Mirror'],
  ['Radiator, cooling fan', 'Radiator', 'Radiator'],
  ['Hood, hood latch', '', 'Hood Latch'],
  ['Fender, nice, left', '', 'Fender'],
  ['Eng. Cover cracked', '', 'Engine Cover'],
  ['Trans. Mount', '', 'Transmission Mount'],
  ['Hood. Latch is broken', '', 'Hood'],
  ['Starter. Tested good', '', 'Starter Motor'],
])('“%s” is of the category it has without its remarks', (text, word, category) => {
  expect(partNames.match(text, word).verdict).toMatchObject({ kind: 'known', name: category })
})
