import { fireEvent, screen, waitFor, within } from '@testing-library/dom'
import { describe, expect, test } from 'vitest'
import type { SavedView } from '#contract/account/accounts.ts'
import type { Job, JobDetail, JobEvent, Queue } from '#contract/admin/automation.ts'
import type { BulkResult } from '#contract/admin/listings.ts'
import type { ManagedLookup } from '#contract/lookups.ts'
import { address, nextDownload, openApp } from './support/app.tsx'
import {
  admin,
  breakOff,
  type FakeRequest,
  type Handlers,
  listOf,
  lookups,
  makeListing,
  newId,
  refuse,
} from './support/fake-server.ts'

const parts = (count: number) =>
  Array.from({ length: count }, (_, n) => makeListing({ partname: `Starter ${n + 1}` }))
const press = async (user: Awaited<ReturnType<typeof openApp>>['user'], name: string) =>
  user.click(await screen.findByRole('button', { name }))

describe('lists of listings', () => {
  test('the admin dashboard greets, and loads one page after the other', async () => {
    const all = parts(20)
    const { user } = await openApp('/dashboard/admin', {
      as: admin(),
      server: { listAll: ({ query }) => listOf(all, query) },
    })
    await waitFor(() =>
      expect(screen.getByRole('heading', { level: 1 })).toHaveTextContent('Good Day, Admin'),
    )
    await waitFor(() => expect(screen.getAllByRole('article')).toHaveLength(8))
    await press(user, 'Load More')
    await waitFor(() => expect(screen.getAllByRole('article')).toHaveLength(16))
  })

  test('a page beyond the end is the last one, and Back restores the page and how many are on it', async () => {
    const all = parts(30)
    const { user } = await openApp('/dashboard/admin/manage-products?perPage=12', {
      as: admin(),
      server: { listAll: ({ query }) => listOf(all, query) },
    })
    const turner = within(await screen.findByRole('navigation', { name: 'Pages, above the list' }))
    await turner.findByText(/Page 1 of 3 — 30 total/)
    await user.clear(turner.getByLabelText('Go to page'))
    await user.type(turner.getByLabelText('Go to page'), '999999{Enter}')
    await turner.findByText(/Page 3 of 3/)
    expect(turner.getByRole('button', { name: 'Next' })).toBeDisabled()
    const last = address()
    await user.selectOptions(turner.getByLabelText('Per page'), '24')
    await turner.findByText(/Page 1 of 2/)
    window.history.back()
    await turner.findByText(/Page 3 of 3/)
    expect(address()).toBe(last)
  })

  test('a list that fails to load says so and can be retried', async () => {
    const { user, server } = await openApp('/dashboard/admin/manage-products', {
      as: admin(),
      server: { listAll: () => refuse(400, 'MALFORMED', 'The filter is not understood') },
    })
    const retry = await screen.findByRole('button', { name: /again|retry/i })
    server.answer({ listAll: ({ query }) => listOf(parts(1), query) })
    await user.click(retry)
    await waitFor(() => expect(screen.getAllByRole('article')).toHaveLength(1))
  })
})

describe('the bulk edit', () => {
  async function openGrid(server: Handlers, search = '') {
    const all = parts(2)
    const app = await openApp(`/dashboard/admin/manage-products/bulk-edit${search}`, {
      as: admin(),
      server: { listAll: ({ query }) => listOf(all, query), ...server },
    })
    const grid = await screen.findByRole('grid', { name: 'Products to edit' })
    await waitFor(() => expect(grid.getAttribute('aria-rowcount')).toMatch(/^[34]$/))
    const cell = (row: number, column: number) =>
      grid.querySelector(
        `[aria-rowindex="${row + 1}"] [role=gridcell][aria-colindex="${column}"]`,
      ) as HTMLElement
    return { ...app, all, grid, cell }
  }
  const [PRICE, ERRORS] = [5, 10]

  async function writePrice(
    { user, grid, cell }: Awaited<ReturnType<typeof openGrid>>,
    row: number,
    text: string,
  ) {
    fireEvent.pointerDown(cell(row, PRICE), { button: 0 })
    fireEvent.pointerUp(cell(row, PRICE), { button: 0 })
    fireEvent.keyDown(grid, { key: 'F2', code: 'F2' })
    const field = await within(grid).findByRole('textbox')
    await user.clear(field)
    await user.type(field, `${text}{Enter}`)
  }

  const fine = (item: { id: string }, current: ReturnType<typeof makeListing> | undefined): BulkResult => ({
    id: item.id,
    partnum: null,
    ok: true,
    errors: [],
    ...(current && { current }),
  })

  test('a refused row stays at the top with its error; the other is saved, and the refused one can be discarded', async () => {
    const bulkUpdate = ({ body }: FakeRequest) => ({
      ok: true,
      updated: 0,
      changeSetId: null,
      results: body.items.map((item: { id: string }) => fine(item, undefined)),
    })
    const app = await openGrid({ bulkUpdate })
    const { user, server, grid, cell, all } = app
    server.answer({
      bulkUpdate: ({ body }) => ({
        ok: true,
        updated: body.items.length,
        changeSetId: newId(),
        results: body.items.map((item: { id: string; partprice: string }) =>
          fine(item, {
            ...(all.find(({ id }) => id === item.id) ?? makeListing()),
            partprice: Number(item.partprice),
            version: 2,
          }),
        ),
      }),
    })
    await writePrice(app, 1, '51')
    await writePrice(app, 2, 'call us')
    await waitFor(() => expect(cell(2, PRICE)).toHaveAttribute('aria-invalid', 'true'))
    await press(user, 'Save 2 change(s)')
    expect(await screen.findByText('Updated 1 item(s)')).toBeVisible()
    expect(screen.getByText(/1 row was not saved\. It is at the top, with the reason\./)).toBeVisible()
    expect(cell(1, PRICE)).toHaveTextContent('call us')
    // A row that is wrong by itself is not sent.
    expect(server.asked('bulkUpdate').flatMap(({ body }) => body.items)).toHaveLength(1)
    const download = nextDownload()
    await press(user, 'Download failed rows (.csv)')
    const { name, text } = await download
    expect(name).toBe('failed_rows.csv')
    const [header, row, ...rest] = text.replace('\ufeff', '').trimEnd().split('\r\n')
    expect(header).toBe('key,value,errors')
    expect(row).toMatch(new RegExp(`^id,${all[1]?.id},.*price`, 'i'))
    expect(rest).toEqual(['partprice,call us,'])
    await press(user, 'Discard changes')
    expect(await screen.findByText('No pending changes')).toBeVisible()
    expect(grid).toHaveTextContent('51.00')
  })

  test('a click on a header sorts the rows, and a saved view keeps columns, order and filters', async () => {
    const kept: SavedView[] = []
    const { user, server, grid, cell } = await openGrid({
      listAll: ({ query }) =>
        listOf(
          ['20', '100', '9'].map((price) =>
            makeListing({ partprice: Number(price), partname: `At ${price}` }),
          ),
          query,
        ),
      listViews: () => ({ items: kept }),
      saveView: ({ body: { name, settings } }) => {
        const view = { id: newId(), name, settings }
        kept.push(view)
        return view
      },
      renameView: ({ params: { id }, body: { name } }) => {
        const view = kept.find((one) => one.id === id)
        if (!view) throw new Error('There is no such view')
        return Object.assign(view, { name })
      },
    })
    const prices = () => [1, 2, 3].map((row) => cell(row, PRICE).textContent)
    const header = () => within(grid).getByRole('columnheader', { name: 'Price' })
    const sortByPrice = () => user.click(within(header()).getByRole('button'))
    await waitFor(() => expect(prices()).toEqual(['20.00', '100.00', '9.00']))
    await sortByPrice()
    expect(prices()).toEqual(['9.00', '20.00', '100.00'])
    await sortByPrice()
    expect([prices(), header().getAttribute('aria-sort')]).toEqual([
      ['100.00', '20.00', '9.00'],
      'descending',
    ])

    await press(user, 'Views')
    await user.type(await screen.findByLabelText('Save this view as'), 'Dear first{Enter}')
    const chosen = async (name: string) => (await screen.findByText(name)).closest('button') as HTMLElement
    expect(await chosen('Dear first')).toHaveAttribute('aria-pressed', 'true')
    expect(server.asked('saveView')[0]?.body).toMatchObject({
      grid: 'bulk-edit',
      settings: { order: { column: 'partprice', descending: true }, rows: 'all', filters: { q: '' } },
    })
    await user.click(await chosen('Original view'))
    expect(prices()).toEqual(['20.00', '100.00', '9.00'])
    await press(user, 'Views')
    await user.click(await chosen('Dear first'))
    expect(prices()).toEqual(['100.00', '20.00', '9.00'])
    await sortByPrice()
    expect(prices()).toEqual(['20.00', '100.00', '9.00'])

    await press(user, 'Views')
    await user.click(await screen.findByLabelText('Rename view Dear first'))
    const field = await screen.findByLabelText('New name for Dear first')
    await user.clear(field)
    await user.type(field, 'Highest first{Enter}')
    expect(await chosen('Highest first')).toHaveAttribute('aria-pressed', 'false')
    expect(screen.queryByText('Dear first')).toBeNull()
  })

  test('the export has what the filters show', async () => {
    const csv = "\ufeffPart #,Damage\r\n28100-1,'=1+1\r\n28100-2,Größe\r\n"
    const { user, server } = await openGrid({ exportAll: new Response(csv) }, '?q=starter&status=ACTIVE')
    const download = nextDownload()
    await press(user, 'Export CSV')
    const { name, text } = await download
    expect(name).toBe(`auto-parts-${new Date().toISOString().slice(0, 10)}.csv`)
    expect(text.replace('\ufeff', '')).toBe(csv.replace('\ufeff', ''))
    expect(server.asked('exportAll').map(({ query }) => query)).toEqual([
      expect.objectContaining({ q: 'starter', status: 'ACTIVE' }),
    ])
  })

  test.each([
    [
      'No rows were saved. Each one has an error.',
      'Bulk update failed: No rows were saved. Each one has an error.',
    ],
    [undefined, 'Bulk update failed: Every changed row has an error. Correct the marked cells first.'],
  ])('a save that saved nothing begins with the words of the spec (%s)', async (error, toast) => {
    const app = await openGrid({
      bulkUpdate: ({ body }) => ({
        ok: false,
        updated: 0,
        changeSetId: null,
        ...(error !== undefined && { error }),
        results: body.items.map(({ id }: { id: string }) => ({
          id,
          partnum: null,
          ok: false,
          errors: ['Price is too high'],
        })),
      }),
    })
    await writePrice(app, 1, '51')
    await press(app.user, 'Save 1 change(s)')
    expect(await screen.findByText(toast)).toBeVisible()
  })

  test('a deleted row says so, and its changes can be dropped alone', async () => {
    const app = await openGrid({})
    const { server, user, cell, all } = app
    const [gone] = all
    server.answer({
      bulkUpdate: ({ body }) => ({
        ok: true,
        updated: 1,
        changeSetId: newId(),
        results: body.items.map((item: { id: string }) =>
          item.id === gone?.id
            ? {
                id: item.id,
                partnum: null,
                ok: false,
                errors: ['This listing was deleted'],
                code: 'LISTING_DELETED',
              }
            : fine(item, { ...(all[1] ?? makeListing()), partprice: 52, version: 2 }),
        ),
      }),
    })
    await writePrice(app, 1, '51')
    await writePrice(app, 2, '52')
    await press(user, 'Save 2 change(s)')
    expect(await screen.findByText('Updated 1 item(s)')).toBeVisible()
    await waitFor(() => expect(cell(1, ERRORS)).toHaveTextContent('This listing was deleted'))
    await user.click(within(cell(1, ERRORS)).getByRole('button', { name: 'Discard' }))
    expect(await screen.findByText('No pending changes')).toBeVisible()
  })
})

describe('names', () => {
  const kinds = [
    {
      noun: 'manufacturer',
      path: 'manage-manufacturers',
      kind: 'manufacturer',
      full: (name: string) => name,
    },
    {
      noun: 'car model',
      path: 'manage-car-models',
      kind: 'car-model',
      full: (name: string) => `Toyota ${name}`,
    },
  ] as const

  test.each(kinds)(
    'a $noun is renamed, merged into another, and deleted when unused',
    async ({ noun, path, kind, full }) => {
      const isModel = kind === 'car-model'
      const make = (name: string, used = 0): ManagedLookup => ({
        id: newId(),
        name,
        manuId: isModel ? lookups.toyota : null,
        manuname: isModel ? 'Toyota' : null,
        confirmed: true,
        ofOneYard: false,
        universal: false,
        aliases: [],
        listings: used,
        models: 0,
        createdAt: '2026-01-05T10:00:00.000Z',
      })
      const [wrong, right, unused] = [make('Vandle', 1), make('Handle'), make('Idle')]
      let all = [wrong, right, unused]
      const { user, server } = await openApp(`/dashboard/admin/${path}`, {
        as: admin(),
        server: {
          manageLookups: ({ query }) => {
            const items = all.filter(({ name }) => name.toLowerCase().includes((query.q ?? '').toLowerCase()))
            return { items, total: items.length, provisional: 0, page: 1, perPage: 50 }
          },
          renameLookup: ({ params, body }) => {
            const { name = undefined, universal = undefined } = body
            all = all.map((each) =>
              each.id === params.id
                ? { ...each, name: name ?? each.name, universal: universal ?? each.universal }
                : each,
            )
            return all.find(({ id }) => id === params.id) ?? wrong
          },
          mergeLookup: ({ params }) => {
            all = all.filter(({ id }) => id !== params.id)
            return { ok: true, jobId: newId() }
          },
          deleteLookup: ({ params }) => {
            all = all.filter(({ id }) => id !== params.id)
            return { ok: true }
          },
        },
      })
      const open = async (name: string) => {
        const list = within(await screen.findByRole('region', { name: `Existing ${noun}s` }))
        await user.click(
          await list.findByRole('button', {
            name: new RegExp(`^${full(name)} ?(\\d|Not used|No |Unused|$)`, 'i'),
          }),
        )
        return within(await screen.findByRole('dialog', { name: full(name) }))
      }
      const renaming = await open('Vandle')
      await user.clear(renaming.getByLabelText('New name'))
      await user.type(renaming.getByLabelText('New name'), 'Handel')
      await user.click(renaming.getByRole('button', { name: 'Rename' }))
      expect(await screen.findByText('Renamed to “Handel”')).toBeVisible()
      expect(server.asked('renameLookup')[0]).toMatchObject({
        params: { kind, id: wrong.id },
        body: { name: 'Handel' },
      })

      if (screen.queryByRole('dialog')) await user.keyboard('{Escape}')
      const merging = await open('Handel')
      expect(merging.getByRole('button', { name: `Delete ${noun}` })).toBeDisabled()
      await user.type(merging.getByRole('combobox', { name: 'Merge into' }), 'Handle')
      await screen.findByText(`${full('Handle')} (Unused)`)
      await user.keyboard('{ArrowDown}{Enter}')
      await waitFor(() => expect(merging.getByRole('button', { name: 'Merge' })).toBeEnabled())
      await user.click(merging.getByRole('button', { name: 'Merge' }))
      const question = within(
        await screen.findByRole('dialog', { name: `Merge “${full('Handel')}” into “${full('Handle')}”?` }),
      )
      expect(question.getByText(/^1 listing will move from “.*Handel” to “.*Handle”\./)).toBeVisible()
      await user.click(question.getByRole('button', { name: 'Merge names' }))
      expect(await screen.findByText('“Handel” merged into “Handle”')).toBeVisible()
      expect(server.asked('mergeLookup')[0]).toMatchObject({
        params: { id: wrong.id },
        body: { into: right.id },
      })

      const deleting = await open('Idle')
      await user.click(deleting.getByRole('button', { name: `Delete ${noun}` }))
      const sure = within(
        await screen.findByRole('dialog', { name: `Delete the ${noun} “${full('Idle')}”?` }),
      )
      await user.click(sure.getByRole('button', { name: `Delete ${noun}` }))
      expect(await screen.findByText('“Idle” deleted')).toBeVisible()
      expect(server.asked('deleteLookup').map(({ params }) => params.id)).toEqual([unused.id])
    },
  )
})

test('a car model is created under its manufacturer; fields left empty and duplicate names are reported', async () => {
  const { user, server } = await openApp('/dashboard/admin/manage-car-models', {
    as: admin(),
    server: {
      manageLookups: { items: [], total: 0, provisional: 0, page: 1, perPage: 50 },
      createCarModel: () => refuse(409, 'CONFLICT', '“Camry” already exists'),
    },
  })
  const form = within(await screen.findByRole('form', { name: 'Create a Car Model' }))
  const [name, make] = [form.getByLabelText(/^Model name/), form.getByLabelText(/^Manufacturer/)]
  const marked = () => [name, make].map((field) => field.getAttribute('aria-invalid') === 'true')
  expect(marked()).toEqual([false, false])
  await user.click(name)
  await user.click(make)
  expect(marked()).toEqual([true, false])
  expect(form.getByText('Model name is required')).toBeVisible()
  await user.tab()
  expect(marked()).toEqual([true, true])
  expect(form.getByText('Please choose a manufacturer')).toBeVisible()
  await user.type(name, 'CAMRY')
  const send = form.getByRole('button', { name: 'Create car model' })
  expect(send).toBeDisabled()
  await form.findByRole('option', { name: 'Toyota' })
  await user.selectOptions(make, 'Toyota')
  expect(marked()).toEqual([false, false])
  await user.click(send)
  expect((await screen.findAllByText(/“.+” already exists/)).length).toBeGreaterThan(0)
  expect(server.asked('createCarModel')[0]?.body).toMatchObject({ carname: 'CAMRY', manuId: lookups.toyota })

  server.answer({
    createCarModel: ({ body: { carname, manuId } }) => ({
      id: newId(),
      carname,
      manuId,
      categoryId: null,
      years: [],
    }),
  })
  await user.type(name, ' SE{Enter}')
  expect(await screen.findByText('"CAMRY SE" is created')).toBeVisible()
  expect([name, make].map((field) => (field as HTMLInputElement).value)).toEqual(['', lookups.toyota])
  // The next one begins fresh.
  expect(marked()).toEqual([false, false])
})

describe('Mission Control', () => {
  const queue = (key: string): Queue => ({
    key,
    name: key,
    counts: { waiting: 0, active: 0, completed: 0, failed: 0, delayed: 0 },
    db: { total: 0 },
    pausedAt: null,
    concurrency: 1,
    attempts: 1,
    timeoutSeconds: 60,
    startsPerMinute: null,
    internal: false,
  })
  const queues = { queues: [queue('preprocess'), queue('h1Optimizer')], warnings: [] }
  const jobs = (...items: Job[]) => ({ items, pageInfo: { nextCursor: null, searchedBackTo: null } })
  const noFiles: Handlers = {
    listStagingFiles: { items: [], nextCursor: null } as never,
    readScriptSettings: { model: 'gpt-5-mini', hasKey: true },
    listJobs: jobs(),
  }
  const at = '2026-02-01T10:00:00.000Z'
  const makeJob = (changes: Partial<Job> = {}): Job => ({
    id: newId(),
    status: 'completed',
    queueKey: 'preprocess',
    scriptId: null,
    attempts: 0,
    maxAttempts: 1,
    createdAt: at,
    updatedAt: at,
    startedAt: at,
    endedAt: '2026-02-01T10:00:12.000Z',
    payload: {},
    options: {},
    progress: null,
    error: null,
    retryOf: null,
    cancelRequested: false,
    _count: { events: 0, artifacts: 0 },
    ...changes,
  })

  const detailOf = (job: Job, changes: Partial<JobDetail> = {}): JobDetail => ({
    ...job,
    question: null,
    events: [],
    artifacts: [],
    result: null,
    timeline: [],
    retriedBy: [],
    createdBy: null,
    state: {},
    ...changes,
  })

  test('the list shows attempt, reason and duration; selected jobs run again, and internal queues are listed separately', async () => {
    const broken = makeJob({ status: 'failed', attempts: 1, error: 'no bread today' })
    const { user, server } = await openApp('/dashboard/admin/mission-control', {
      as: admin(),
      server: {
        listQueues: {
          queues: [queue('preprocess'), { ...queue('send-mail'), internal: true }],
          warnings: [],
        },
        listJobs: ({ query }) => (query.status === 'waiting-manual' ? jobs() : jobs(broken, makeJob())),
        retryJob: { jobId: newId() },
      },
    })
    const row = (await screen.findByText('no bread today')).closest('tr') as HTMLElement
    expect(row).toHaveTextContent(/failed1\/1.*12 s/)
    // They are behind a click, so that jobs are in sight.
    expect(screen.queryByText('send-mail')).toBeNull()
    await press(user, 'Show 1 internal queue')
    const internal = screen.getByRole('region', { name: 'Internal queues and their counts' })
    expect(within(internal).getByRole('link', { name: 'send-mail' })).toBeVisible()
    expect(within(internal).queryByRole('link', { name: 'preprocess' })).toBeNull()
    await user.click(within(row).getByRole('checkbox'))
    expect(screen.getByText('1 job selected')).toBeVisible()
    await press(user, 'Run again (1)')
    expect(await screen.findByText('1 job started again')).toBeVisible()
    expect(server.asked('retryJob').map(({ params }) => params.id)).toEqual([broken.id])
  })

  test('a waiting question is on every page of Mission Control, with its age', async () => {
    const waiting = makeJob({ status: 'waiting-manual', endedAt: null })
    const question = {
      key: 'go',
      text: 'Overwrite 40 rows?',
      schema: null,
      problem: null,
      askedAt: new Date(Date.now() - 125 * 60_000).toISOString(),
    }
    const detail = detailOf(waiting, { question })
    await openApp('/dashboard/admin/mission-control?view=ebay', {
      as: admin(),
      server: { listJobs: jobs(waiting), readJob: detail },
    })
    expect(await screen.findByText('Overwrite 40 rows?')).toBeVisible()
    expect(screen.getByText('2 hours ago')).toBeVisible()
    expect(screen.getByRole('link', { name: /^Answer / })).toHaveAttribute(
      'href',
      expect.stringContaining(`job=${waiting.id}`),
    )
  })

  test.each([
    [[1, 2], undefined],
    [[2, 3], 'The last 2 lines; 1 before them is in the download.'],
    [[3, 4], 'The last 2 lines; 2 before them are in the download.'],
  ])('a log of lines %j says how many are missing: %s', async (ids, sentence) => {
    const job = makeJob({ _count: { events: 4, artifacts: 0 } })
    const events = ids.map((id): JobEvent => {
      const message = `line ${id}`
      return { id, kind: 'log', status: null, message, payload: { stream: 'stdout', message, loggedAt: at } }
    })
    const { user } = await openApp(`/dashboard/admin/mission-control?job=${job.id}`, {
      as: admin(),
      server: {
        listQueues: queues,
        listJobs: jobs(job),
        readJob: detailOf(job, { events }),
        streamJob: breakOff,
      },
    })
    await user.click(await screen.findByRole('tab', { name: /^Events/ }))
    await screen.findByRole('log', { name: 'Log' })
    const said = screen.queryByText(/(is|are) in the download/)?.textContent
    expect(said).toBe(sentence)
  })

  test('the enqueue form has JSON with its defaults first, and the same as fields one click away', async () => {
    const { user, server } = await openApp('/dashboard/admin/mission-control', {
      as: admin(),
      server: {
        listQueues: queues,
        listJobs: jobs(makeJob()),
        enqueueJob: { jobId: newId() },
        readJob: refuse(404, 'NOT_FOUND', 'Gone'),
      },
    })
    await screen.findByRole('heading', { name: 'Jobs' })
    await press(user, 'Enqueue Job')
    const drawer = within(await screen.findByRole('dialog', { name: 'Enqueue Job' }))
    expect(drawer.getByLabelText('Payload JSON')).toHaveValue(
      JSON.stringify({ perPage: 48, maxPages: 1, dataset: 'marketplace:ecomm_autoparts' }, null, 2),
    )
    await user.click(drawer.getByRole('radio', { name: 'Form' }))
    await user.clear(drawer.getByLabelText('perPage'))
    await user.type(drawer.getByLabelText('perPage'), '12')
    await user.click(drawer.getByRole('button', { name: 'Enqueue job' }))
    await waitFor(() => expect(server.asked('enqueueJob')).toHaveLength(1))
    expect(server.asked('enqueueJob')[0]?.body).toEqual({
      queue: 'ingest-autoparts',
      payload: { perPage: 12, maxPages: 1, dataset: 'marketplace:ecomm_autoparts' },
      options: { attempts: 1 },
    })
  })

  test('a script that cannot be started shows why', async () => {
    const { user, server } = await openApp('/dashboard/admin/mission-control?view=preprocess', {
      as: admin(),
      server: {
        ...noFiles,
        listQueues: queues,
        enqueueJob: () => new Response(null, { status: 429, headers: { 'retry-after': '7' } }),
      },
    })
    await user.selectOptions(await screen.findByRole('combobox', { name: 'Script' }), 'self-check')
    const lines = await screen.findByRole('textbox', { name: 'Lines' })
    await user.type(lines, '1.5')
    await press(user, 'Start')
    expect(await screen.findByText('Lines must be a whole number')).toBeVisible()
    await waitFor(() => expect(lines).toHaveFocus())
    expect(server.asked('enqueueJob')).toEqual([])
    await user.clear(lines)

    await press(user, 'Start')
    expect((await screen.findAllByText('Rate limited. Try again after 7s.')).length).toBeGreaterThan(0)
    expect(screen.getAllByText('Failed to enqueue job').length).toBeGreaterThan(0)
    server.answer({ enqueueJob: breakOff })
    await press(user, 'Start')
    expect((await screen.findAllByText('Failed to enqueue self-check')).length).toBeGreaterThan(0)
  })

  test('a queue missing on the server is named', async () => {
    const { user, server } = await openApp('/dashboard/admin/mission-control?view=preprocess', {
      as: admin(),
      server: { ...noFiles, listQueues: { queues: [queue('h1Optimizer')], warnings: [] } },
    })
    await user.selectOptions(await screen.findByRole('combobox', { name: 'Script' }), 'self-check')
    await waitFor(() => expect(server.asked('listQueues').length).toBeGreaterThan(0))
    await press(user, 'Start')
    expect(
      (await screen.findAllByText(/^Queue 'preprocess' not available on server\. Known queues: /)).length,
    ).toBeGreaterThan(0)
  })

  test('the Jobs Watcher’s shortcuts are off while typing, and can be turned off', async () => {
    const { user } = await openApp('/dashboard/admin/mission-control', {
      as: admin(),
      server: {
        listQueues: queues,
        listJobs: { items: [], pageInfo: { nextCursor: null, searchedBackTo: null } },
      },
    })
    await screen.findByRole('heading', { name: 'Jobs' })
    await user.keyboard('/')
    const search = screen.getByLabelText('Search')
    await waitFor(() => expect(search).toHaveFocus())
    await user.keyboard('?e')
    expect(search).toHaveValue('?e')
    expect(screen.queryByRole('dialog')).toBeNull()
    search.blur()
    await user.keyboard('?')
    const sheet = await screen.findByRole('dialog', { name: 'Keyboard shortcuts' })
    await user.click(within(sheet).getByLabelText(/Single-key shortcuts/))
    await user.keyboard('{Escape}')
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    await user.keyboard('e')
    expect(screen.queryByRole('dialog')).toBeNull()
  })
})
