import { describe, expect, it } from 'vitest'
import { readPartTypes, readVehicles } from '#db/data/read-data.ts'
import { findProfanity } from '#server/features/market/writing/profanity.ts'
import { type DemoLead, exchangesFor, leadsOfSignIns, viewsOfSignIns } from './demo-leads.ts'
import { demoSellers } from './demo-sellers.ts'
import { demoEmails } from './demo-sign-ins.ts'
import { demoToday, generateListings } from './demo-stock.ts'

const DAY_MS = 86_400_000
const catalogue = { vehicles: readVehicles(), partTypes: readPartTypes() }

function load(now: string) {
  const today = demoToday(new Date(now))
  const listings = generateListings(demoSellers(), catalogue, today)
  const views = viewsOfSignIns(listings, today)
  return { today, listings, views, leads: leadsOfSignIns(listings, views, today) }
}

const { today, listings, views, leads } = load('2026-03-09T15:20:00Z')
const listingOf = new Map(listings.map((listing) => [listing.id, listing]))
const of = (email: string) =>
  leads.filter(({ listingId }) => listingOf.get(listingId)?.seller.email === email)
const daysAgo = ({ createdAt }: DemoLead) => (today - createdAt.getTime()) / DAY_MS
const pro = of(demoEmails.pro)

describe('the demo messages', () => {
  it('are 42 to the Pro seller in the last 26 days, some earlier ones, and 3 to the free seller', () => {
    expect(pro.filter((lead) => daysAgo(lead) <= 26)).toHaveLength(42)
    expect(pro.filter((lead) => daysAgo(lead) > 30)).toHaveLength(66)
    expect(of(demoEmails.free)).toHaveLength(3)
    expect(leads).toHaveLength(42 + 66 + 3)
  })

  it('are the same every time, dated back from the day of loading', () => {
    expect(JSON.stringify(load('2026-03-09T04:00:00Z').leads)).toBe(JSON.stringify(leads))
    const nextDay = load('2026-03-10T04:00:00Z').leads
    const summary = (list: DemoLead[]) => list.map(({ name, message, state }) => [name, message, state])
    expect(summary(nextDay)).toEqual(summary(leads))
    const times = (list: DemoLead[], shift: number) =>
      list.map(({ createdAt, answeredAt }) => [createdAt, answeredAt].map((at) => at && +at + shift))
    expect(times(leads, DAY_MS)).toEqual(times(nextDay, 0))
  })

  it('and their answers are from before the day of loading, each answer after its question', () => {
    for (const { createdAt, answeredAt } of leads) {
      expect(createdAt.getTime()).toBeLessThan(today)
      if (!answeredAt) continue
      expect(answeredAt.getTime()).toBeGreaterThan(createdAt.getTime())
      expect(answeredAt.getTime()).toBeLessThan(today)
    }
  })

  it('come from people who viewed that day: a part never has more questions than views', () => {
    const looks = new Map(views.map((view) => [`${view.listingId} ${view.day}`, view.views]))
    const asked = Map.groupBy(
      leads,
      (lead) => `${lead.listingId} ${lead.createdAt.toISOString().slice(0, 10)}`,
    )
    for (const [key, list] of asked) expect(looks.get(key) ?? 0, key).toBeGreaterThanOrEqual(list.length)
    const early = leads.filter(
      ({ listingId, createdAt }) => createdAt < (listingOf.get(listingId)?.createdAt ?? 0),
    )
    expect(early).toEqual([])
  })

  it('are unanswered where they are newest; the others are answered, closed, or were called back', () => {
    const newestFirst = pro.toSorted((a, b) => b.createdAt.getTime() - a.createdAt.getTime())
    expect(newestFirst.slice(0, 5).every(({ state, answer }) => state === 'new' && answer === null)).toBe(
      true,
    )
    const rest = newestFirst.slice(5)
    expect(new Set(rest.map(({ state }) => state))).toEqual(new Set(['answered', 'closed']))
    expect(rest.every(({ answeredAt }) => answeredAt !== null)).toBe(true)
    expect(rest.every(({ answer, email }) => (answer === null) === (email === null))).toBe(true)
    expect(rest.filter(({ answer }) => answer).length).toBeGreaterThan(0.7 * rest.length)
  })

  it('go on in order, before the day of loading: offers, answers to them, and thanks', () => {
    const talks = pro.flatMap((lead) => (lead.talk.length > 0 ? [lead] : []))
    expect(
      talks.map(({ talk }) => talk.map(({ sender, kind }) => `${sender} ${kind}`).join(', ')).sort(),
    ).toEqual([
      'buyer offer',
      'buyer offer, seller accept',
      'buyer offer, seller decline',
      'buyer offer, seller offer',
      'buyer offer, seller offer',
      'buyer offer, seller offer, buyer accept, seller text',
      'buyer text, seller text',
    ])
    for (const { createdAt, answeredAt, talk, state } of talks) {
      const times = [createdAt, ...(answeredAt ? [answeredAt] : []), ...talk.map((one) => one.createdAt)].map(
        Number,
      )
      expect(times).toEqual(times.toSorted((a, b) => a - b))
      expect(Math.max(...times)).toBeLessThan(today)
      // Who wrote last decides whether the conversation waits for the yard.
      expect(talk.at(-1)?.sender).toBe(state === 'new' ? 'buyer' : 'seller')
    }
  })

  it('promise what the part’s own terms say', () => {
    const promised = leads.flatMap(({ listingId, answer, talk }) =>
      [answer?.message ?? '', ...talk.map(({ body }) => body)].flatMap((words) => {
        const [, days, ofReturns] = /(\d+) days(, as long as our paint marks)?/.exec(words) ?? []
        const { warrantydays, returndays } = listingOf.get(listingId)?.text ?? {}
        return days === undefined ? [] : [days === (ofReturns ? returndays : warrantydays)]
      }),
    )
    expect(promised.length).toBeGreaterThan(2)
    expect(promised).not.toContain(false)
  })

  it('come from people with unique names and unreachable contact details', () => {
    expect(new Set(pro.map(({ name }) => name)).size).toBe(pro.length)
    for (const { email, phone } of leads) {
      expect(email ?? phone).not.toBeNull()
      expect(email ?? 'a.b@c.example').toMatch(/^[a-z]+\.[a-z]+@[a-z0-9-]+\.example$/)
      expect(phone ?? '(918) 555-0100').toMatch(/^\(\d{3}\) 555-01\d\d$/)
    }
  })

  it('are about their part, without profanity or unfilled placeholders', () => {
    for (const { listingId, listingTitle, message, answer } of leads) {
      const { partyear, partmanuname, partmodel, partname } = listingOf.get(listingId)?.text ?? {}
      expect(listingTitle).toBe(`${partyear?.replace('-', '–')} ${partmanuname} ${partmodel} ${partname}`)
      const words = `${message} ${answer?.message ?? ''}`
      expect(words).not.toMatch(/[{}]|undefined/)
      expect(findProfanity(words)).toBeUndefined()
    }
    const repeated = Map.groupBy(pro, ({ answer }) => answer?.message ?? '')
    repeated.delete('')
    expect(Math.max(...[...repeated.values()].map((list) => list.length))).toBeLessThan(8)
  })

  it('have questions for most part types that the two sellers offer, and general ones for any part', () => {
    const types = listings.filter(({ id }) => leads.some(({ listingId }) => listingId === id))
    const known = types.filter(({ category }) => exchangesFor(category).special.length > 0)
    expect(known.length).toBeGreaterThan(0.6 * types.length)
    expect(exchangesFor('Horn')).toMatchObject({ special: [], general: expect.arrayContaining([]) })
    expect(exchangesFor('Horn').general.length).toBeGreaterThan(5)
  })
})
