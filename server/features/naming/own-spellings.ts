/*
 * How makers write names that the rules of case would get wrong, by letters and digits alone. What came with the
 * catalogue is written as it is there and needs no entry.
 */

export const MANUFACTURER_SPELLINGS: Readonly<Record<string, string>> = {
  ...bySquash([
    'AMC',
    'BMW',
    'BYD',
    'DeLorean',
    'DeSoto',
    'GMC',
    'MG',
    'MINI',
    'RAM',
    'SRT',
    'Citroën',
    'Škoda',
  ]),
  ...bySquash(['Mercedes-Benz', 'Rolls-Royce', 'Harley-Davidson', 'McLaren', 'VinFast']),
}

/** Of models, whoever makes them. */
export const MODEL_SPELLINGS: Readonly<Record<string, string>> = {
  ...bySquash(['F-100', 'F-150', 'F-250', 'F-350', 'F-450', 'F-550', 'E-150', 'E-250', 'E-350', 'E-450']),
  ...bySquash([
    'C-10',
    'C-20',
    'K-10',
    'S-10',
    'CR-V',
    'HR-V',
    'CR-X',
    'CR-Z',
    'WR-V',
    'RAV4',
    'C-HR',
    'MR2',
  ]),
  ...bySquash([
    'CX-3',
    'CX-5',
    'CX-7',
    'CX-9',
    'CX-30',
    'CX-50',
    'CX-90',
    'MX-3',
    'MX-5',
    'MX-6',
    'RX-7',
    'RX-8',
  ]),
  ...bySquash([
    'CJ-5',
    'CJ-7',
    'PT Cruiser',
    'HHR',
    'SSR',
    'GTO',
    'CTS-V',
    'XC60',
    'XC70',
    'XC90',
    'TrailBlazer',
  ]),
}

/** Words of parts that are letters, not words. */
export const PART_LETTERS: ReadonlySet<string> = new Set([
  ...[
    'abs',
    'ac',
    'bcm',
    'cd',
    'cv',
    'dvd',
    'ecm',
    'ecu',
    'egr',
    'evap',
    'gps',
    'hid',
    'hvac',
    'iac',
    'led',
    'lcd',
  ],
  ...['maf', 'map', 'pcm', 'pcv', 'srs', 'tcm', 'tipm', 'tps', 'tpms', 'tv', 'usb', 'vvt'],
])

function bySquash(names: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    names.map((name) => [
      name
        .normalize('NFKD')
        .replaceAll(/[^A-Za-z0-9]/g, '')
        .toLowerCase(),
      name,
    ]),
  )
}
