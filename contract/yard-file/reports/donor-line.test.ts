import { expect, test } from 'vitest'
import { readDonor } from './donor-line.ts'

test.each([
  [
    '2010 Nissan Altima 2.5 S   Stk B1001   196,838 miles   red',
    ['2010', 'Nissan', 'Altima', '2.5 S', 'B1001', '196,838', ''],
  ],
  [
    'STK# B77 - 2010 NISSAN ALTIMA - 196,838 mi - VIN 1N4AL2AP5AN123456',
    ['2010', 'NISSAN', 'ALTIMA', '', 'B77', '196,838', '1N4AL2AP5AN123456'],
  ],
  [
    'Stock #: 4471  2008 Honda CR-V EX  (VIN: JHLRE48578C012345) Odo: 152,330',
    ['2008', 'Honda', 'CR-V', 'EX', '4471', '152,330', 'JHLRE48578C012345'],
  ],
  [
    '2012 Ford F-150 XLT SuperCrew 5.0L, white, 143k miles, stock 12-0456',
    ['2012', 'Ford', 'F-150', 'XLT SuperCrew 5.0L', '12-0456', '143k', ''],
  ],
  [
    'Year: 2010  Make: Nissan  Model: Altima  Stock: B1001  Miles: 120333',
    ['2010', 'Nissan', 'Altima', '', 'B1001', '120333', ''],
  ],
  [
    "'05 Chevy Silverado 1500 LT | T220 | 212,004",
    ['2005', 'Chevy', 'Silverado 1500', 'LT', 'T220', '212,004', ''],
  ],
  [
    '2015 Mercedes-Benz C300 4MATIC - #M2201 - 88,120 miles',
    ['2015', 'Mercedes-Benz', 'C300', '4MATIC', 'M2201', '88,120', ''],
  ],
  [
    '2014 Ram 1500 Big Horn Stock No. R-551 98,400 km',
    ['2014', 'Ram', '1500', 'Big Horn', 'R-551', '98,400 km', ''],
  ],
  ['GMC 2007 Sierra 1500 SLE B200 158,531', ['2007', 'GMC', 'Sierra 1500', 'SLE', 'B200', '158,531', '']],
  ['2013 Ford F-150 - 71,000 mi   Row 1', ['2013', 'Ford', 'F-150', '', '', '71,000', '']],
  ['2009 Ford F-150 T4100 136k', ['2009', 'Ford', 'F-150', '', 'T4100', '136k', '']],
  ['2007 F150 / 136k', ['2007', '', 'F150', '', '', '136k', '']],
  ['99 camry', ['1999', '', 'camry', '', '', '', '']],
])('%s names a car', (line, [year, make, model, trim, stock, miles, vin]) => {
  expect(readDonor(line)).toEqual({ year, make, model, trim, stock, miles, vin })
})

test.each([
  '2012 Ford F-150 Tailgate',
  'Rear door off 2012 Ford Focus',
  '2011 Subaru Outback front door   tested good',
  'Fender',
  'tested good 2013 Ford',
  'Printed on 11/20/2026',
  '10234   2012 Ford Focus   Hood',
])('%s names none', (line) => expect(readDonor(line)).toBeUndefined())
