import { expect, test } from 'vitest'
import { hasLink } from './links.ts'
import { isNameOrOffice } from './look-alikes.ts'

test.each([
  'https://evil.example',
  'See HTTP://EVIL.EXAMPLE/x',
  'hxxps://evil.example',
  'h\u200bttps://evil.example',
  'https\u{ff1a}//evil.example',
  'www.evil.example',
  'cheap-parts.com',
  'Pay at cheap-parts.com.',
  'Look: parts.cheap.shop/pay',
  'bit.ly/3abc',
  'evil.example',
  'evil\u3002com',
  'evil\u3002example',
  'evil\uff0eexample',
  'evil\uff61example',
  'ev\u200bil.com',
  'evil.c\u00adom',
  'evil\u2060.\ufe0fcom',
  '\uff57\uff57\uff57.evil.example',
  '\uff45\uff56\uff49\uff4c.\uff43\uff4f\uff4d',
  '\u24d4\u24e5\u24d8\u24db.\u24d2\u24de\u24dc',
  '\u{1d41e}\u{1d42f}\u{1d422}\u{1d425}.\u{1d41c}\u{1d428}\u{1d426}',
  '\u0435vil.\u0441\u043em',
  'evil.c\u0336o\u0336m',
  '(parts.ru)',
  'EVIL DOT COM',
  'pay at evil dot com please',
  'evil-dot-com',
  'evil(dot)com',
  'evil [dot] store',
  'evil{dot}online',
  'evil[.]com',
  'evil(.)shop',
  'evil<.>pro',
  'evil .com',
  'evil . com',
  'evil \u3002 com',
  'evil,com',
  'evildotcom',
  'evil d0t com',
  'evil\u00b7com',
  'evil\u2022com',
  'evil \u2027 net',
  'evil\u30fbcom',
  'e v i l . c o m',
  'www evil com',
  'www - evil - com',
  'evil punto com',
  'evil point com',
  '203.0.113.7/login',
  '203.0.113.7:8080',
  'evil.\u0440\u0444',
  'evil\u3002\u516c\u53f8',
  '\u043c\u0430\u0433\u0430\u0437\u0438\u043d.\u043e\u043d\u043b\u0430\u0439\u043d',
])('%s contains a link', (text) => {
  expect(hasLink(text)).toBe(true)
})

test.each([
  'Is it still there?\nI can come by today.',
  'I need it today.is it there?',
  'DL3Z-10346-A or 5.7L Hemi, No.5, e.g. the 2.5/3.0',
  'Write to ruth@garage.com or ruth.amador@parts.co.uk',
  'It costs $95.50, maybe less.OK?',
  'Trim: LX/EX. Year 2014/2015.',
  'That was at 3:30p.m./later',
  'no. 4 cylinder',
  'At this point, compare the tags',
  'Sizes 16\u00b7120, 5\u2022 lug, net price?',
  'Firmware 10.2.3.4 of the radio',
  '\u041f\u0440\u0438\u0432\u0435\u0442.\u0415\u0449\u0451 \u0435\u0441\u0442\u044c?',
  '2.5L',
  'call me at 3.30',
  'Call me at 3.30.Come by then.',
  'Is it the 3.6L V6? Mine is a 2.0T.',
  'P/N 81150-06470, rev. B',
  'Does it have the DOT code on the glass?',
  'I need DOT 4 brake fluid, too.',
  'A DOT approved helmet, US DOT number 123456',
  'The DOT site says the tires are from 2019.',
  'The tire has a red dot, company logo next to it.',
  'What is the DOT info on the tires?',
  'Price is $100. Net 30 terms OK?',
  'I can pay 80, net of shipping.',
  'My shop is in St. Louis, Mo. Is freight O.K.?',
  'Fits 07-13 Silverado/Sierra 5.3?',
  'Trans. code is MQ5. Any core charge?',
  'Left headlamp w/o HID, approx. 60,000 mi.',
  'Engine no. 2AZ-FE. Online it says 2.4.',
  'Mr. Info told me to ask, etc.',
  'What size: 3.5in. or 4.0in.?',
  'I\u2019m at 5th Ave. Shop closes at 5.',
  '\u00bfTodav\u00eda lo tiene? Gracias.',
  'Je cherche une porte, c\u00f4t\u00e9 gauche. Merci.',
  '\u8fd8\u5728\u5417\uff1f\u8c22\u8c22\u3002\u6211\u660e\u5929\u6765\u3002',
  'Thanks. Pro tip: take the bumper off first.',
  'A/C compressor, R134a, 12V.',
])('%s contains none', (text) => {
  expect(hasLink(text)).toBe(false)
})

test.each([
  'PartHarbor',
  'Part Harbor Support',
  'P\u0430rtHarb\u043er Official Payments',
  'PARTHARB0R customer help desk',
  'PartHarbor Support (email confirmed)',
])('%s is PartHarbor or an office of it', (text) => {
  expect(isNameOrOffice(text, 'PartHarbor')).toBe(true)
})

test.each(['Dana Whitfield', 'Harbor Parts', 'Bob of PartHarbor Salvage', 'Support', ''])(
  '%s is not',
  (text) => {
    expect(isNameOrOffice(text, 'PartHarbor')).toBe(false)
  },
)

test('a common word as a name leaves yards theirs', () => {
  expect(isNameOrOffice('Bob\u2019s Auto Parts', 'Auto Parts')).toBe(false)
})
