import { beforeAll, describe, expect, test } from 'vitest'
import type { Listing } from '#contract/listings.ts'
import { type Failure, openTalks } from '#tests/support/talk.ts'
import { type SignedIn, startTestApp } from '#tests/support/test-app.ts'

const HOUR_MS = 3_600_000

const app = await startTestApp({ PUBLIC_URL: 'https://parts.example' })
const talks = openTalks(app)
let yard: { seller: SignedIn; listing: Listing }
beforeAll(async () => {
  yard = await talks.yard()
})
const newestMail = async (email: string) => (await talks.mailsTo(email)).at(-1)

describe('an offer with the first message', () => {
  test('is in the inbox and in the mail, with its price and its end in words', async () => {
    const { lead } = await talks.ask(yard, { offer: '$80.50' })
    const { messages, may } = await lead()
    expect(messages).toMatchObject([
      {
        kind: 'offer',
        from: 'buyer',
        message: 'Still there?',
        price: 80.5,
        currency: 'USD',
        offerState: 'open',
      },
    ])
    expect(may).toEqual(['accept', 'decline', 'offer'])
    const hours = (Date.parse(messages[0]?.expiresAt ?? '') - app.clock.now().getTime()) / HOUR_MS
    expect(hours).toBeCloseTo(48, 1)
    const mail = await newestMail(yard.seller.person.email)
    expect(mail?.subject).toMatch(/^Offer from Ruth \d+: \$80\.50 for 2014 Ford /)
    expect(mail?.body).toMatch(/offers \$80\.50 for .* The offer is good until \w+day, \w+ \d+ at \d/)
    expect(mail?.body).toContain('> Still there?')
  })

  test.each([
    ['0.99', 'offer', 'Offers start at $1'],
    ['100.01', 'offer', 'The asking price is $100.00. Offer that or less.'],
    ['-5', 'offer', 'Enter a price, such as 85 or 84.50'],
    ['1e2', 'offer', 'Enter a price, such as 85 or 84.50'],
    ['85.555', 'offer', 'Enter a price, such as 85 or 84.50'],
    [80, 'email', 'Leave an email address, so the seller can reply to your offer'],
  ])('%j is refused at %s', async (offer, field, sentence) => {
    const message = { name: 'Ruth', phone: '(918) 555-0107', message: 'Hi', offer }
    const email = field === 'email' ? '' : 'ruth@garage.example'
    const refused = await app.visitor.post<Failure>(`/parts/${yard.listing.partslug}/messages`, {
      ...message,
      email,
    })
    expect([refused.status, refused.body.fields]).toEqual([422, { [field]: sentence }])
  })

  test('is refused if the seller takes no offers, and the part’s page says so', async () => {
    const { seller, listing } = await talks.yard()
    const read = () => app.visitor.get<Listing>(`/auto-part/${listing.partslug}`)
    expect((await read()).body.takesOffers).toBe(true)
    const asking = await talks.ask({ seller, listing })
    await seller.api.put('/profile', { communicationPrefs: { takesOffers: false } })
    expect((await read()).body.takesOffers).toBe(false)
    await expect(talks.ask({ seller, listing }, { offer: '80' })).rejects.toThrow(
      'This seller does not take offers.',
    )
    expect((await asking.read()).body.may).toEqual([])
    expect((await asking.offer(80)).body).toMatchObject({ code: 'CONFLICT' })
  })
})

describe('a price that both agree on', () => {
  test('by an offer, a counteroffer and an acceptance; the part stays for sale and is held', async () => {
    const place = await talks.yard()
    const { offer, counter, decide, lead, read, email } = await talks.ask(place)
    expect((await offer(70)).status).toBe(201)
    expect((await counter(90, { hours: 24, message: 'Tested last week.' })).status).toBe(201)
    const mail = await newestMail(email)
    expect(mail?.subject).toMatch(/^Counteroffer: \$90\.00 for 2014 Ford /)
    expect(mail?.body).toContain('Tested last week.')
    const countered = (await read()).body
    expect(countered.messages.map(({ offerState }) => offerState)).toEqual([null, 'replaced', 'open'])
    expect(countered.may).toEqual(['accept', 'decline', 'offer'])

    const accepted = await decide('buyer', 'accept')
    expect(accepted.status).toBe(201)
    const told = await newestMail(place.seller.person.email)
    expect(told?.subject).toMatch(/^Ruth \d+ accepts \$90\.00 for /)
    expect(told?.body).toMatch(/Please hold the part until .* mark it as sold once they have paid\./)
    const confirmed = await newestMail(email)
    expect(confirmed?.subject).toMatch(/^You agreed on \$90\.00 for 2014 Ford /)
    expect(confirmed?.body).toMatch(
      /They are holding the part for you until \w+day, .* You pay the seller directly\./,
    )
    expect(confirmed?.body).toMatch(/parts\.example\/messages#[\w-]{43}\n/)
    const agreed = await lead()
    expect(agreed).toMatchObject({ state: 'new', may: [], listing: { forSale: true } })
    expect(agreed.messages.at(-1)).toMatchObject({ kind: 'accept', from: 'buyer', price: 90 })
    expect((await offer(60)).body).toMatchObject({
      code: 'CONFLICT',
      error: 'You have already agreed on a price for this part.',
    })
    // Held for two days, and then free to be agreed on again.
    app.clock.advance(48 * HOUR_MS + 1_000)
    expect((await lead()).messages[2]?.offerState).toBe('lapsed')
    expect((await offer(75)).status).toBe(201)
    app.clock.advance(-48 * HOUR_MS - 1_000)
  })

  test('by the seller’s acceptance, which counts as the first answer', async () => {
    const { decide, lead, email } = await talks.ask(yard, { offer: '80' })
    expect((await decide('seller', 'accept', { message: 'Come by until five.' })).status).toBe(201)
    const mail = await newestMail(email)
    expect(mail?.subject).toMatch(/^Offer accepted: \$80\.00 for /)
    expect(mail?.body).toMatch(/is holding the part for you until .* You pay the seller directly\./)
    expect(mail?.body).toContain('Come by until five.')
    expect(await lead()).toMatchObject({ state: 'answered', answeredAt: expect.any(String) })
  })

  test('not after a decline: then either can name a price', async () => {
    const { decide, lead, offer, email } = await talks.ask(yard, { offer: '50' })
    await decide('seller', 'decline')
    const mail = await newestMail(email)
    expect(mail?.subject).toMatch(/^Offer declined: \$50\.00 for /)
    expect(mail?.body).toMatch(/declined your offer of \$50\.00 for .* You can make another offer, or ask/)
    expect(mail?.body).toMatch(/^You offered \$50\.00/m)
    expect(await lead()).toMatchObject({
      may: ['offer'],
      messages: [{ offerState: 'declined' }, { kind: 'decline', price: 50, currency: 'USD' }],
    })
    expect((await decide('seller', 'accept')).body.error).toBe('This offer was declined.')
    expect((await offer(60)).status).toBe(201)
  })
})

describe('an answer that is too late', () => {
  test('to an offer that has expired, to the second', async () => {
    const { decide, counter, lead } = await talks.ask(yard, { offer: '80' })
    app.clock.advance(48 * HOUR_MS - 60_000)
    expect((await lead()).may).toContain('accept')
    app.clock.advance(60_000)
    expect((await lead()).messages[0]?.offerState).toBe('expired')
    const late = await decide('seller', 'accept')
    expect([late.status, late.body.error]).toEqual([409, 'This offer has expired. Make a new one instead.'])
    expect((await counter(95)).status).toBe(201)
    app.clock.advance(-48 * HOUR_MS)
  })

  test('to an offer that the buyer has replaced', async () => {
    const { asSeller, lead, offer } = await talks.ask(yard, { offer: '60' })
    const { messages } = await lead()
    await offer(70)
    const late = await asSeller('offer-answer', { offerId: messages[0]?.id, answer: 'accept' })
    expect([late.status, late.body.error]).toEqual([
      409,
      'There is a newer offer in this conversation. Review it first.',
    ])
  })

  test('about a part that was sold', async () => {
    const place = await talks.yard()
    const { decide, lead, offer, counter } = await talks.ask(place, { offer: '80' })
    await place.seller.api.post(`/seller/parts/${place.listing.id}/end`, { reason: 'sold-elsewhere' })
    expect((await lead()).messages[0]?.offerState).toBe('gone')
    for (const late of [await decide('seller', 'accept'), await offer(90), await counter(90)]) {
      expect([late.status, late.body.error]).toEqual([409, 'This part is no longer for sale.'])
    }
  })
})

describe('only the other side can answer an offer', () => {
  test('their own offer, or one of another conversation', async () => {
    const { decide, counter, asBuyer } = await talks.ask(yard, { offer: '80' })
    const other = await talks.ask(yard, { offer: '85' })
    expect((await decide('buyer', 'accept')).body.error).toBe(
      'This is your own offer. Wait for the answer to it.',
    )
    await counter(90)
    expect((await decide('seller', 'accept')).body.error).toMatch(/^This is your own offer/)
    const [{ id } = { id: '' }] = (await other.lead()).messages
    expect((await asBuyer('offer-answer', { offerId: id, answer: 'accept' })).status).toBe(409)
  })

  test('a seller makes no first offer and none below the buyer’s, and no one above the asking price', async () => {
    const { counter, offer } = await talks.ask(yard)
    expect((await counter(90)).body.error).toBe(
      'This buyer has made no offer. Name your price in a message instead.',
    )
    expect((await offer(101)).body.fields).toEqual({
      price: 'The asking price is $100.00. Offer that or less.',
    })
    await offer(80)
    expect((await counter(100.01)).body.fields).toEqual({
      price: 'The asking price is $100.00. Offer that or less.',
    })
    expect((await counter(90, { hours: 5 })).status).toBe(422)
    for (const price of [79, 80]) {
      const less = await counter(price)
      expect([less.status, less.body.fields]).toEqual([
        422,
        { price: 'The buyer already offers $80.00. Accept it, or ask for more.' },
      ])
    }
    expect((await counter(80.01)).status).toBe(201)
  })

  test('another seller finds no conversation', async () => {
    const { id, lead } = await talks.ask(yard, { offer: '80' })
    const [{ id: offerId } = { id: '' }] = (await lead()).messages
    const stranger = await app.signUp({ role: 'admin' })
    for (const [path, body] of [
      ['offers', { price: 90 }],
      ['offer-answer', { offerId, answer: 'accept' }],
      ['sold', { endListing: true, tellOthers: true }],
    ] as const) {
      const refused = await stranger.api.post<Failure>(`/seller/leads/${id}/${path}`, body)
      expect([path, refused.status, refused.body.code]).toEqual([path, 404, 'NOT_FOUND'])
    }
    expect((await lead()).messages).toHaveLength(1)
  })
})

describe('one part and two buyers', () => {
  test('a second acceptance must be explicit; a buyer sees the part is promised', async () => {
    const place = await talks.yard()
    const [one, other, third] = [
      await talks.ask(place, { offer: '80' }),
      await talks.ask(place, { offer: '85' }),
      await talks.ask(place, { offer: '70' }),
    ]
    await third.counter(88)
    await one.decide('seller', 'accept')
    expect(await other.lead()).toMatchObject({ promised: true })
    expect(await one.lead()).toMatchObject({ promised: false })
    const warned = await other.decide('seller', 'accept')
    expect([warned.status, warned.body.error]).toEqual([
      409,
      'You have already accepted another buyer’s offer for this part and are holding it for them.',
    ])
    expect((await third.decide('buyer', 'accept')).body.error).toMatch(
      /^The seller has since promised this part/,
    )
    expect((await other.decide('seller', 'accept', { evenIfPromised: true })).status).toBe(201)
    // Told that it is sold is only who was promised nothing.
    expect(await one.lead()).toMatchObject({ othersOpen: 1 })
    const sold = await one.asSeller<{ told: number }>('sold', { soldToThem: true, tellOthers: true })
    expect(sold.body.told).toBe(1)
    expect((await other.lead()).state).toBe('answered')
    expect((await third.lead()).messages.at(-1)?.kind).toBe('sold')
  })

  test('the buyer who bought it is emailed that, and each other buyer once, however often they wrote', async () => {
    const place = await talks.yard()
    const bought = await talks.ask(place, { offer: '80' })
    await talks.ask(place, { from: bought.email })
    const other = await talks.ask(place)
    const again = await talks.ask(place, { from: other.email })
    await bought.decide('seller', 'accept')
    expect(await bought.lead()).toMatchObject({ othersOpen: 1 })
    const before = (await talks.mailsTo(other.email)).length
    const choice = { soldToThem: true, tellOthers: true, endListing: true }
    expect((await bought.asSeller<{ told: number }>('sold', choice)).body.told).toBe(1)
    expect((await talks.mailsTo(other.email)).length - before).toBe(1)
    expect(await again.lead()).toMatchObject({ state: 'closed' })
    const mail = await newestMail(bought.email)
    expect(mail?.body).toContain('Sold to you for $80.00. Thank you!')
    expect((await bought.read()).body.messages).toMatchObject([
      { offerState: 'bought' },
      {},
      { kind: 'sold' },
    ])
    expect(await bought.lead()).toMatchObject({ state: 'closed', othersOpen: 0 })
  })

  test('two of a part can be promised to two', async () => {
    const place = await talks.yard()
    await place.seller.api.put(`/seller/parts/${place.listing.id}`, { partquantity: '2' })
    const [one, other] = [await talks.ask(place, { offer: '80' }), await talks.ask(place, { offer: '85' })]
    await one.decide('seller', 'accept')
    expect((await other.decide('seller', 'accept')).status).toBe(201)
  })
})

describe('two at the same moment', () => {
  test.each(Array.from({ length: 4 }, (_, round) => round))(
    'the seller accepts and the buyer names another price: one of them was first (%i)',
    async (round) => {
      const place = await talks.yard()
      const { decide, offer, lead } = await talks.ask(place, { offer: '80' })
      const offerId = (await lead()).messages.at(-1)?.id
      const moves = [() => decide('seller', 'accept', { offerId }), () => offer(85)]
      if (round % 2 === 1) moves.reverse()
      const statuses = (await Promise.all(moves.map((move) => move()))).map(({ status }) => status)
      expect(statuses.toSorted()).toEqual([201, 409])
      const kinds = (await lead()).messages.map(({ kind }) => kind)
      expect(kinds.join()).toMatch(/^offer,(accept|offer)$/)
    },
  )

  test('two of the seller’s people answer one offer: it is answered once', async () => {
    const place = await talks.yard()
    const { decide, counter, lead } = await talks.ask(place, { offer: '80' })
    const answers = await Promise.all([
      decide('seller', 'accept'),
      decide('seller', 'decline'),
      decide('seller', 'accept'),
      counter(95),
    ])
    const done = answers.filter(({ status }) => status === 201)
    expect(answers.every(({ status }) => status === 201 || status === 409)).toBe(true)
    const { messages } = await lead()
    // A counteroffer may follow a no; nothing follows a yes.
    expect(messages).toHaveLength(1 + done.length)
    const at = messages.findIndex(({ kind }) => kind === 'accept')
    expect([-1, messages.length - 1]).toContain(at)
  })

  test('two buyers’ offers for one part are accepted: only one is', async () => {
    const place = await talks.yard()
    const both = [await talks.ask(place, { offer: '80' }), await talks.ask(place, { offer: '85' })]
    const answers = await Promise.all(both.map(({ decide }) => decide('seller', 'accept')))
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 409])
  })
})
