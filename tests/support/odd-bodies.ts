import { z } from 'zod'

/* Bodies that no client of ours sends, in every type that a request can claim to have. */

export type OddBody = {
  type: string | undefined
  body: string | Buffer
  /** How it claims to be packed. */
  encoding?: string
}

const VALUES = [
  '{"toString":1}',
  '{"__proto__":{"toString":null},"constructor":{"prototype":[]}}',
  '{"hasOwnProperty":0,"valueOf":"x","then":1,"length":-1}',
  '[]',
  '[[{"toString":1}]]',
  '-1e308',
  '"text"',
  '"\\ud800"',
  'null',
  'true',
  `${'{"a":'.repeat(20)}[1]${'}'.repeat(20)}`,
]

const part = (name: string, more: string, value: string) =>
  `--edge\r\ncontent-disposition: form-data; name="${name}"${more}\r\n\r\n${value}\r\n`
const MULTIPART = 'multipart/form-data; boundary=edge'

const OTHERS: readonly OddBody[] = [
  ...VALUES.map((body) => ({ type: 'application/json', body })),
  { type: 'application/json', body: '' },
  { type: 'application/json', body: '{"a":' },
  { type: 'application/json; charset=utf-16', body: Buffer.from('{"email":"a@b.example"}', 'utf16le') },
  { type: 'application/json; charset=nonsense', body: '{"toString":1}' },
  { type: 'application/json', body: Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d]) },
  { type: 'application/x-www-form-urlencoded', body: 'toString=1&__proto__=2&form=message&email=%ff%00' },
  { type: 'application/x-www-form-urlencoded', body: '%&&==&%zz' },
  { type: 'application/x-www-form-urlencoded', body: 'a[b]=1&a[__proto__]=2&a=3' },
  { type: MULTIPART, body: `${part('toString', '', '1')}${part('__proto__', '', '2')}--edge--\r\n` },
  { type: MULTIPART, body: `${part('file', '; filename="x.csv"', '\0\0')}--edge--\r\n` },
  { type: MULTIPART, body: `${part('image', '; filename="\\ud800.png"', 'no picture')}--edge--\r\n` },
  { type: MULTIPART, body: part('file', '; filename="x.csv"', 'cut off') },
  { type: MULTIPART, body: 'no part at all' },
  { type: 'multipart/form-data', body: '--edge--' },
  { type: 'text/plain', body: 'hello' },
  { type: 'application/xml', body: '<!DOCTYPE a [<!ENTITY b SYSTEM "file:///etc/passwd">]><a>&b;</a>' },
  { type: 'no type', body: 'x' },
  { type: undefined, body: '{"toString":1}' },
]

const ODD_FIELDS: readonly unknown[] = [
  { toString: 1 },
  ['x', null],
  1e21,
  '\ud800',
  '\0',
  '__proto__',
  {},
  null,
  true,
]

/** Not packed as they say: an error that comes while nobody reads the body yet. */
export const falselyPacked: readonly OddBody[] = ['gzip', 'br', 'deflate', 'zstd', 'gzip, gzip', 'none'].map(
  (encoding) => ({ type: 'application/json', body: '{"toString":1}', encoding }),
)

/** Each field of the body in turn, as something else than its schema wants. */
function withOddFields(schema: z.ZodType | undefined): OddBody[] {
  const names = schema instanceof z.ZodObject ? Object.keys(schema.shape) : []
  return ODD_FIELDS.flatMap((value, at) => {
    const fields = names.map((name, place) => [name, ODD_FIELDS[(at + place) % ODD_FIELDS.length]])
    return names.length === 0
      ? []
      : [
          { type: 'application/json', body: JSON.stringify(Object.fromEntries(fields)) },
          { type: 'application/json', body: JSON.stringify({ [names[at % names.length] ?? '']: value }) },
        ]
  })
}

export const oddBodies = (schema: z.ZodType | undefined): OddBody[] => [
  ...OTHERS,
  ...falselyPacked,
  ...withOddFields(schema),
]
