import { randomBytes } from 'node:crypto'
import { Readable } from 'node:stream'
import { expect, test } from 'vitest'
import { Refusal } from '#server/platform/errors.ts'
import { sealCheaply } from '#tests/support/cheap-hashes.ts'
import { Passphrase, scryptCost, sealedBytes } from './sealed.ts'

const { ...usualCost } = scryptCost
sealCheaply()

const passphrase = new Passphrase('four unrelated words here')
const bytesOf = async (stream: NodeJS.ReadableStream) => Buffer.concat(await (stream as Readable).toArray())

test('a file says what its passphrase costs, which is what OWASP recommends', async () => {
  expect(usualCost).toEqual({ log2N: 15, r: 8, p: 3 })
  const sealed = await new Passphrase('four unrelated words here').seal('a file', Buffer.from('content'))
  expect([...sealed.subarray(20, 23)]).toEqual([scryptCost.log2N, 8, 3])
})

test.each([0, 1, 65_535, 65_536, 65_537, 131_072, 200_000])(
  '%i bytes come back, by either way',
  async (size) => {
    const content = randomBytes(size)
    const sealed = await passphrase.seal('a file', content)
    expect(sealed).toHaveLength(sealedBytes(size))
    expect(await passphrase.open('a file', sealed)).toEqual(content)
    const pieces = Array.from({ length: Math.ceil(size / 7_000) }, (_, at) =>
      content.subarray(at * 7_000, at * 7_000 + 7_000),
    )
    const streamed = await bytesOf(Readable.from(pieces).pipe(await passphrase.sealing('a file')))
    expect(streamed).toHaveLength(sealedBytes(size))
    const another = new Passphrase('four unrelated words here')
    const inTwo = [streamed.subarray(0, 20), streamed.subarray(20)]
    expect(await bytesOf(Readable.from(inTwo).pipe(another.opening('a file')))).toEqual(content)
  },
)

test('a byte that was changed, a chunk cut off or moved, another name or passphrase: nothing opens it', async () => {
  const sealed = await passphrase.seal('a file', randomBytes(200_000))
  const chunk = 65_536 + 16
  const header = sealed.length - sealedBytes(200_000) + 55
  const changed = Buffer.from(sealed)
  changed[70_000] = (changed[70_000] ?? 0) ^ 1
  const swapped = Buffer.concat([
    sealed.subarray(0, header),
    sealed.subarray(header + chunk, header + 2 * chunk),
    sealed.subarray(header, header + chunk),
    sealed.subarray(header + 2 * chunk),
  ])
  const attempts = await Promise.allSettled([
    passphrase.open('a file', changed),
    passphrase.open('a file', swapped),
    passphrase.open('a file', sealed.subarray(0, header + 2 * chunk)),
    passphrase.open('a file', sealed.subarray(0, 30)),
    passphrase.open('another file', sealed),
    new Passphrase('four unrelated words there').open('a file', sealed),
    bytesOf(Readable.from([changed]).compose(passphrase.opening('a file'))),
    bytesOf(Readable.from([sealed.subarray(0, 30)]).compose(passphrase.opening('a file'))),
  ])
  const reasons = attempts.map((attempt) => attempt.status === 'rejected' && attempt.reason)
  for (const reason of reasons) expect(reason).toBeInstanceOf(Refusal)
  expect(String(reasons.at(-1))).toContain('The beginning of a file is cut off.')
})
