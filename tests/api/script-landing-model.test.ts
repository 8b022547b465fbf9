import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { requestCancel } from '#server/platform/jobs/control.ts'
import { atLength } from '#tests/support/at-length.ts'
import { openLiveScripts } from '#tests/support/live-scripts.ts'
import { makeStock } from '#tests/support/make-stock.ts'
import { OPENAI_KEY, type OpenAiReply, startOpenAiServer } from '#tests/support/openai-server.ts'
import { startTestApp } from '#tests/support/test-app.ts'

/* Pages of categories and the words of links, written by a language model. */

const CATEGORIES = 40

// Calls that the script has under way at one time.
const AT_ONCE = 4

type Usage = { input: number; output: number }
const page = (name: string, more = '', usage?: Usage): OpenAiReply => ({
  kind: 'answer',
  ...(usage && { usage }),
  content: {
    title: `${name} by make and model`,
    metaDescription: `Every ${name} that our sellers have. Compare part numbers and grades before you order.`,
    intro:
      `This page lists every ${name} that our sellers have.${more} Compare the part number with the one on your car, ` +
      'and look at the grade of each before you order. Ask the seller for a picture if you are not sure.',
  },
})
const anchor = (text: string): OpenAiReply => ({ kind: 'answer', content: { text } })

/** What the language model answers, by the name that the data has. */
let answers: (name: string, time: number) => OpenAiReply
/** The same by all of the data, where a test needs it. */
let answersTo: ((name: string, data: string) => OpenAiReply) | undefined
const asked: string[] = []
const server = await startOpenAiServer(({ messages }) => {
  const data = messages[1]?.content ?? ''
  const name = /"name": "([^"]+)"/.exec(data)?.[1] ?? ''
  asked.push(name)
  return answersTo ? answersTo(name, data) : answers(name, asked.filter((each) => each === name).length)
})
afterAll(() => server.close())

const app = await startTestApp()
const { db } = app
const scripts = await openLiveScripts(app, {
  OPENAI_API_KEY: OPENAI_KEY,
  OPENAI_BASE_URL: server.url,
  OPENAI_MODEL: 'gpt-4o',
})

/** Categories in the order of the script. */
let names: string[]
beforeAll(async () => {
  const { sellerId } = (await app.signUp()).user
  const { rows } = await sql<{ id: string; name: string }>`
    select id, name from category where confirmed and merged_into is null and name ~ '^[A-Z][a-z]+( [A-Z][a-z]+)?$'
    order by name_key limit ${CATEGORIES}`.execute(db)
  const ford = await db
    .selectFrom('manufacturer')
    .select('id')
    .where('name', '=', 'Ford')
    .executeTakeFirstOrThrow()
  names = rows.map(({ name }) => name)
  await makeStock(db, { sellerId, parts: CATEGORIES }, (at) => ({
    name: rows[at]?.name ?? '',
    category_id: rows[at]?.id ?? null,
    manufacturer_id: ford.id,
  }))
})
beforeEach(() => {
  asked.length = 0
  answers = (name) => page(name)
  answersTo = undefined
})
afterEach(() => sql`truncate landing_page, page_link`.execute(db))

const pages = async () => {
  const { rows } = await sql<{ name: string; title: string; intro: string; writer: string }>`
    select c.name, p.title, p.meta_description, p.intro, p.slug, p.facts, p.writer
    from landing_page p join category c on c.id = p.lookup_id where p.kind = 'category' order by c.name_key`.execute(
    db,
  )
  return rows
}
const writers = async () => (await pages()).map(({ writer }) => writer)
/** Every call is counted, and at most those that were given up before they had left. */
async function expectCounted(id: string, calls: number): Promise<void> {
  const used = await db
    .selectFrom('job_language_use')
    .select('calls')
    .where('job_id', '=', id)
    .executeTakeFirstOrThrow()
  expect(used.calls).toBeGreaterThanOrEqual(calls)
  expect(used.calls).toBeLessThan(calls + AT_ONCE)
}
const nameAt = (at: number) => names[at] ?? ''
const build = (flags = {}, status?: 'completed' | 'failed') =>
  scripts.run('product-page-category', { optimize: true, ...flags }, status)

describe('product-page-category', () => {
  test('writes pages and counts what they cost', async () => {
    const { result } = await build({ limit: 3 })
    expect(result).toMatchObject({ new: 3, spentCents: expect.closeTo(3 * 0.35) })
    expect(await writers()).toEqual(['openai', 'openai', 'openai'])
    expect((await pages())[0]?.title).toBe(`${names[0]} by make and model`)
    // What stands is not paid for again.
    expect((await build({ limit: 3 })).result).toMatchObject({ stands: 3, spentCents: 0 })
    expect(asked).toHaveLength(3)
  })

  test('an invented number is refused with the reason, asked for once more, then written by rules', async () => {
    const invented = (name: string) => page(name, ' They put out 140 amps.')
    answers = (name, time) => {
      if (name === nameAt(0)) return invented(name)
      return name === nameAt(1) && time === 1 ? invented(name) : page(name)
    }
    const { stdout, result } = await build({ limit: 3 })
    expect(stdout.filter((line) => line.includes('rejected: ')).join()).toMatch(/^ {2}rejected: “140” is not/)
    expect(await writers()).toEqual(['built-in', 'openai', 'openai'])
    expect((await pages()).some(({ intro }) => intro.includes('140'))).toBe(false)
    expect(asked).toHaveLength(5)
    expect(result).toMatchObject({ refused: 0, spentCents: expect.closeTo(5 * 0.35) })
  })

  test('429, 500 and a slow answer are waited out', async () => {
    const first: readonly OpenAiReply[] = [
      { kind: 'error', status: 429, headers: { 'retry-after-ms': '5' } },
      { kind: 'error', status: 500, headers: { 'retry-after-ms': '5' } },
      { kind: 'slow', ms: 700, after: page(nameAt(2)) },
    ]
    answers = (name, time) => (time === 1 ? first[names.indexOf(name)] : undefined) ?? page(name)
    expect((await build({ limit: 4 })).result).toMatchObject({ new: 4, spentCents: expect.closeTo(4 * 0.35) })
    expect((await pages()).map(({ name }) => name)).toEqual(names.slice(0, 4))
  })

  const permanent: [number, string][] = [
    [429, 'The language model is limiting our calls'],
    [500, 'The language model responded with status 500'],
    [401, 'The language model rejects our key: check OPENAI_API_KEY'],
  ]
  test.each(atLength({ full: permanent, brief: permanent.slice(-1) }))(
    'a permanent %d ends the job, and the pages before it are kept',
    async (status, sentence) => {
      answers = (name) =>
        name === nameAt(5) ? { kind: 'error', status, headers: { 'retry-after-ms': '1' } } : page(name)
      const { error, stdout } = await build({}, 'failed')
      expect(error).toBe(sentence)
      expect((await pages()).map(({ name }) => name)).toEqual(names.slice(0, 5))
      expect(stdout).toContain(`${nameAt(4)}: new page from the language model (1 part)`)
    },
  )

  test('a stopped and resumed job gives the same result as an undisturbed one', async () => {
    await build()
    const undisturbed = await pages()
    expect(undisturbed).toHaveLength(CATEGORIES)
    await sql`truncate landing_page`.execute(db)
    asked.length = 0
    const { stdout, result } = await stoppedAt(30)
    expect(stdout).toContain('Continuing after 25 categories')
    expect(await pages()).toEqual(undisturbed)
    expect(names.slice(0, 25).every((name) => asked.filter((each) => each === name).length === 1)).toBe(true)
    expect(result).toMatchObject({ categories: CATEGORIES, new: CATEGORIES })
  }, 90_000)

  test('the cap covers a job as a whole, even if it was stopped in between', async () => {
    // 60 cents each: 25 pages before the stop; those after it alone would stay far below the cap.
    answers = (name) => page(name, '', { input: 4_000, output: 59_000 })
    const { error } = await stoppedAt(30, 'failed')
    expect(error).toMatch(/^The job has reached its cap of \$20\.00 .* texts already written are kept$/)
    // Those whose pages were lost with the stop were paid for too. Calls under way when the cap is reached end well.
    expect(asked.length).toBeGreaterThanOrEqual(33)
    expect(asked.length).toBeLessThan(33 + 2 * AT_ONCE + 1)
    expect((await pages()).length).toBeLessThan(asked.length)
  }, 90_000)

  test('canceled in the middle of a batch, its cost so far is counted and reported', async () => {
    answers = (name) => (name === nameAt(7) ? { kind: 'slow', ms: 60_000, after: page('late') } : page(name))
    const id = await scripts.start('product-page-category', { optimize: true })
    await expect.poll(() => server.underWay() === 1 && asked.length > 8, { timeout: 40_000 }).toBe(true)
    await requestCancel(db, id)
    const { stdout } = await scripts.ended(id, 'cancelled')
    expect(await pages()).toEqual([])
    await expectCounted(id, asked.length)
    // What was asked and not answered counts with the most that it can cost.
    expect(stdout.at(-1)).toMatch(/^Ended early: cost [\d.]+ cents until now$/)
    expect(Number(/[\d.]+/.exec(stdout.at(-1) ?? '')?.[0])).toBeGreaterThan((asked.length - 1) * 0.35)
  }, 60_000)

  /** Stops the worker while the page of a category waits for its words, and lets another one go on. */
  async function stoppedAt(at: number, status?: 'failed') {
    const usual = answers
    let waits = true
    answers = (name, time) =>
      waits && name === nameAt(at) ? { kind: 'slow', ms: 60_000, after: page('late') } : usual(name, time)
    const id = await scripts.start('product-page-category', { optimize: true })
    await expect.poll(() => asked.includes(nameAt(at)), { timeout: 40_000 }).toBe(true)
    waits = false
    await scripts.changeWorker()
    return scripts.ended(id, status)
  }
})

describe('internal-linking', () => {
  const link = (flags = {}, status?: 'completed' | 'failed') =>
    scripts.run('internal-linking', { openaiOptimize: true, type: 'category', limit: 3, ...flags }, status)
  const anchors = async () => {
    const { rows } = await sql<{ anchor: string }>`
      select distinct anchor from page_link where from_kind = 'category' and to_kind = 'category'`.execute(db)
    return rows.map((row) => row.anchor)
  }
  // Pages are there already, so that only links are asked for.
  beforeEach(async () => {
    await scripts.run('product-page-category')
    answers = (name) => anchor(`More of ${name}`)
    asked.length = 0
  })

  test('words links and counts what they cost', async () => {
    const { result } = await link()
    expect(asked.length).toBeGreaterThan(3)
    expect(result).toMatchObject({ pages: 3, spentCents: expect.closeTo(asked.length * 0.35) })
    for (const text of await anchors()) expect(text).toMatch(/^More of /)
  })

  test('an invented number is refused with the reason, and rules word the link', async () => {
    answers = (name) => anchor(`${name} from $49`)
    const { stdout } = await link({ limit: 1 })
    expect(stdout.find((line) => line.includes('rejected'))).toMatch(/^Link to .+ rejected: “\$49” /)
    const made = await anchors()
    expect(made.length).toBeGreaterThan(0)
    expect(made.some((text) => text.includes('49'))).toBe(false)
  })

  test('429, 500 and a slow response are waited out; a permanent 429 ends the job', async () => {
    server.next.push(
      { kind: 'error', status: 429, headers: { 'retry-after-ms': '5' } },
      { kind: 'error', status: 500, headers: { 'retry-after-ms': '5' } },
      { kind: 'slow', ms: 700, after: anchor('More of them') },
    )
    expect((await link({ limit: 1 })).result).toMatchObject({ pages: 1, changed: 1 })
    answers = () => ({ kind: 'error', status: 429, headers: { 'retry-after-ms': '1' } })
    const { error } = await link({ forceReprocess: true }, 'failed')
    expect(error).toBe('The language model is limiting our calls')
  })

  describe('stopped in the middle and resumed', () => {
    type Row = { from: string; to: string; anchor: string; position: number }
    /** Everything that a run leaves, and what it answers. */
    const everything = async () => {
      const { rows: links } = await sql<Row>`
        select from_kind || from_id as from, to_kind || to_id as to, anchor, position
        from page_link order by 1, position`.execute(db)
      const { rows: made } = await sql<object>`
        select kind, lookup_id, slug, title, intro, facts, writer from landing_page order by kind, slug`.execute(
        db,
      )
      return { links, made }
    }
    const told = (result: unknown) => {
      const { spentCents, ...counts } = result as { spentCents: number }
      return counts
    }
    // The model and the manufacturer have no page yet; their words are a page's, those of links a link's.
    const usual = (name: string, data: string) =>
      data.includes('"page_of"') ? page(name) : anchor(`More of ${name}`)
    let calls = 0
    const flags = { openaiOptimize: true }
    let expected: Awaited<ReturnType<typeof everything>>
    let answered: object

    beforeAll(async () => {
      answers = (name) => page(name)
      await scripts.run('product-page-category')
      answersTo = usual
      const { result } = await scripts.run('internal-linking', flags)
      expected = await everything()
      answered = told(result)
      expect(expected.links.length).toBeGreaterThan(100)
      await sql`truncate landing_page, page_link`.execute(db)
    }, 90_000)

    beforeEach(() => {
      calls = 0
      answersTo = (name, data) => {
        calls += 1
        return usual(name, data)
      }
    })

    const moments: [string, number][] = [
      ['while pages are made', 0],
      ['while the first links are worded', 3],
      ['late', 60],
    ]
    test.each(atLength({ full: moments, brief: moments.slice(-1) }))(
      '%s it gives the same result as an undisturbed run, and every call is counted',
      async (_, at) => {
        let waits = true
        answersTo = (name, data) => {
          calls += 1
          return waits && calls === at + 1
            ? { kind: 'slow', ms: 60_000, after: page('late') }
            : usual(name, data)
        }
        const id = await scripts.start('internal-linking', flags)
        await expect.poll(() => calls > at, { timeout: 40_000 }).toBe(true)
        waits = false
        await scripts.changeWorker()
        const { result } = await scripts.ended(id)
        expect(await everything()).toEqual(expected)
        expect(told(result)).toEqual(answered)
        await expectCounted(id, calls)
        const { spentCents } = result as { spentCents: number }
        expect(spentCents).toBeGreaterThanOrEqual((calls - 1) * 0.35)
      },
      90_000,
    )
  })
})
