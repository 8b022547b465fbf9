import { IconAdjustmentsHorizontal } from '@tabler/icons-react'
import { type KeyboardEvent, type ReactNode, type RefObject, useEffect, useRef, useState } from 'react'
import type { FoundParts } from '#contract/pages/public-pages.ts'
import type { Facets } from '#contract/search/parts-search.ts'
import { Button, ButtonLink } from '#web/site/button.tsx'
import { CheckField, SelectField, TextField } from '#web/site/form/field.tsx'
import { Link } from '#web/site/link.tsx'
import { keepZip, readZip } from '#web/site/visitor-zip.ts'
import classes from './filters.module.css'
import { countFilters, radiuses, withChange } from './part-filters.ts'

type FiltersProps = {
  /** The list's path. */
  base: string
  query: URLSearchParams
  found: FoundParts
  /** Called after a choice, or when a typed field loses the focus. */
  onChange: () => void
}

/**
 * The filters beside the list, each choice with the number of parts it would show; on a phone, a sheet over the list. A
 * disclosure, not a dialog: it opens without script, and a wide screen shows its content whether it is open or not.
 */
export function Filters({ base, query, found, onChange }: FiltersProps) {
  const sheet = useRef<HTMLDetailsElement>(null)
  const { facets, refused } = found
  const used = countFilters(query, refused)
  const close = () => sheet.current?.removeAttribute('open')
  return (
    <details
      ref={sheet}
      className={classes.filters}
      onKeyDown={(event) => event.key === 'Escape' && closeOf(sheet, event)}
      onToggle={({ currentTarget }) => currentTarget.open && closeOnBack(currentTarget)}
      // Each choice is applied at once, a typed number when the field loses the focus.
      onChange={({ target }) => isChoice(target) && onChange()}
      onBlur={({ target }) => isTyped(target) && onChange()}
    >
      <summary className={classes.opener}>
        <IconAdjustmentsHorizontal size={20} aria-hidden />
        {used === 0 ? 'Filters' : `Filters (${used})`}
      </summary>
      <div className={classes.panel}>
        <Vehicle query={query} found={found} />
        <Condition base={base} query={query} facets={facets} refused={refused} />
        <Place base={base} query={query} facets={facets} refused={refused} />
        {facets?.about && <p className={classes.about}>Counts are estimates.</p>}
        <div className={classes.foot}>
          {used > 0 && (
            <ButtonLink to={base + clearedOf(query)} look="quiet">
              Clear filters
            </ButtonLink>
          )}
          <Button type="submit" look="filled" className={classes.show} onClick={close}>
            {`Show ${found.total.toLocaleString('en-US')}${found.totalIsAtLeast ? '+' : ''} ${found.total === 1 ? 'part' : 'parts'}`}
          </Button>
        </div>
      </div>
    </details>
  )
}

function closeOf(sheet: RefObject<HTMLDetailsElement | null>, event: KeyboardEvent) {
  event.preventDefault()
  sheet.current?.removeAttribute('open')
  sheet.current?.querySelector('summary')?.focus()
}

// Not among TypeScript's types yet. Only Chromium has it.
declare const CloseWatcher: (new () => { onclose: () => void; destroy: () => void }) | undefined

/** The Back button of an Android phone closes the sheet, as it closes dialogs, instead of leaving the list. */
function closeOnBack(sheet: HTMLDetailsElement) {
  if (typeof CloseWatcher === 'undefined') return
  const watcher = new CloseWatcher()
  watcher.onclose = () => sheet.removeAttribute('open')
  sheet.addEventListener('toggle', () => watcher.destroy(), { once: true })
}

const isChoice = (field: EventTarget) =>
  field instanceof HTMLSelectElement || (field instanceof HTMLInputElement && field.type === 'checkbox')

const isTyped = (field: EventTarget) => field instanceof HTMLInputElement && field.type !== 'checkbox'

/** The query without filters, for the same words and in the same order. */
function clearedOf(query: URLSearchParams): string {
  const kept = new URLSearchParams()
  for (const name of ['q', 'exact', 'sort', 'view', 'perPage']) {
    const value = query.get(name)
    if (value && value !== 'nearest') kept.set(name, value)
  }
  return kept.size > 0 ? `?${kept}` : ''
}

const dollars = (amount: number) => `$${amount.toLocaleString('en-US')}`

// Creating a formatter for each of 200 choices would take a twentieth of a page's rendering time.
const inDigits = new Intl.NumberFormat('en-US')

const withCount = (label: string, count: number, about?: boolean): string =>
  `${label} (${about ? 'about ' : ''}${inDigits.format(count)})`

type Option = { value: string; label: string; count: number; group?: string | null }

// `localeCompare` creates a collator each time: a third of a millisecond for a page's categories.
const byName = new Intl.Collator('en', { numeric: true })

/** Choices that would show something, and the chosen one, sorted by group, which a select shows as a tree. */
const optionsOf = (counted: Facets['categories'] | Facets['makes'] = []): Option[] =>
  counted
    .map(({ slug, name, ...one }): Option => ({ value: slug, label: name, ...one }))
    .sort((a, b) => byName.compare(a.group ?? '', b.group ?? '') || byName.compare(a.label, b.label))

type ChooseProps = {
  label: string
  name: string
  any: string
  query: URLSearchParams
  options: readonly Option[]
  about?: true | undefined
  disabled?: boolean
}

/** Uncontrolled, so that a choice made before hydration stays; keyed by its value, so that Back restores the old one. */
function Choose({ label, name, any, query, options, about, disabled = false }: ChooseProps) {
  const value = query.get(name) ?? ''
  const groups = Map.groupBy(options, ({ group }) => group ?? '')
  const listed = (some: readonly Option[]) =>
    some.map((option) => (
      <option key={option.value} value={option.value}>
        {withCount(option.label, option.count, about)}
      </option>
    ))
  return (
    <SelectField key={value} label={label} name={name} defaultValue={value} disabled={disabled}>
      <option value="">{any}</option>
      {[...groups].map(([group, some]) =>
        group === '' ? (
          listed(some)
        ) : (
          <optgroup key={group} label={group}>
            {listed(some)}
          </optgroup>
        ),
      )}
    </SelectField>
  )
}

type GroupProps = { query: URLSearchParams; facets: Facets | undefined }
type WithBase = GroupProps & { base: string; refused: FoundParts['refused'] }

function Vehicle({ query, found }: Pick<FiltersProps, 'query' | 'found'>) {
  const { facets, total } = found
  const hasMake = Boolean(query.get('make'))
  const model = found.chosen?.model
  const ofAnyMake: Option[] = model ? [{ value: model.slug, label: model.name, count: total }] : []
  const hasModels = hasMake || ofAnyMake.length > 0
  const about = facets?.about
  const values = (counted: Facets['years'] | undefined): Option[] =>
    (counted ?? []).map(({ value, count }) => ({ value, label: value, count }))
  const year = query.get('year')
  const years = values(facets?.years)
  if (year && !years.some(({ value }) => value === year)) years.push({ value: year, label: year, count: 0 })
  return (
    <>
      <Choose
        label="Category"
        name="category"
        any="All categories"
        query={query}
        about={about}
        options={optionsOf(facets?.categories)}
      />
      <Choose
        label="Manufacturer"
        name="make"
        any="All manufacturers"
        query={query}
        about={about}
        options={optionsOf(facets?.makes)}
      />
      <Choose
        label="Model"
        name="model"
        any={hasModels ? 'All models' : 'Choose a manufacturer'}
        query={query}
        about={about}
        disabled={!hasModels}
        options={hasMake ? optionsOf(facets?.models) : ofAnyMake}
      />
      <Choose
        label="Year"
        name="year"
        any="All years"
        query={query}
        about={about}
        options={years.sort((a, b) => Number(b.value) - Number(a.value))}
      />
    </>
  )
}

const sideNames: Record<string, string> = { left: 'Left (driver)', right: 'Right (passenger)' }

function Condition({ base, query, facets, refused }: WithBase) {
  return (
    <>
      <Choose
        label="Side"
        name="side"
        any="Either side"
        query={query}
        about={facets?.about}
        options={(facets?.sides ?? []).map(({ value, count }) => ({
          value,
          label: sideNames[value] ?? value,
          count,
        }))}
      />
      <Group name="Price">
        <div className={classes.pair}>
          <NumberField label="From, $" name="priceMin" query={query} refused={refused} />
          <NumberField
            label="To, $"
            name="priceMax"
            query={query}
            refused={isBackward(query) ? { priceMax: 'The highest price is below the lowest' } : refused}
          />
        </div>
        <PriceRanges base={base} query={query} facets={facets} />
      </Group>
      <Boxes name="grade" label="Grade" query={query} facets={facets} counted={facets?.grades} />
      <NumberField label="Maximum miles" name="milesMax" query={query} refused={refused} />
    </>
  )
}

/** A range of prices that has nothing in it. */
const isBackward = (query: URLSearchParams) =>
  Number(query.get('priceMin')) > Number(query.get('priceMax') || Number.POSITIVE_INFINITY)

const shippingNames: Record<string, string> = {
  free: 'Free shipping',
  flat: 'Flat rate',
  pickup: 'Pickup only',
}

function Place({ base, query, facets, refused }: WithBase) {
  // Addresses from before have a radius, which leaves out what ships from farther away.
  const distance = query.get('radius') ? 'radius' : 'within'
  return (
    <>
      <Boxes
        name="shipping"
        label="Shipping"
        names={shippingNames}
        query={query}
        facets={facets}
        counted={facets?.shipping.filter(({ value }) => value in shippingNames)}
      />
      <Group name="Near you">
        <div className={classes.pair}>
          <KnownZip base={base} query={query} refused={refused} />
          <TextField
            key={query.get('zip')}
            label="ZIP code"
            name="zip"
            inputMode="numeric"
            autoComplete="postal-code"
            pattern="\d{5}"
            maxLength={5}
            title="A ZIP code has 5 digits"
            defaultValue={query.get('zip') ?? ''}
            error={refused?.zip}
          />
          <SelectField
            key={`${distance} ${query.get(distance)}`}
            label="Within"
            name={distance}
            defaultValue={query.get(distance) ?? ''}
          >
            <option value="">Anywhere</option>
            {radiuses.map((miles) => (
              <option key={miles} value={miles}>
                {`${Number(miles).toLocaleString('en-US')} miles`}
              </option>
            ))}
          </SelectField>
        </div>
        {distance === 'within' && <p className="second">Parts that ship are always shown.</p>}
      </Group>
      <CheckField
        key={`picture ${query.get('hasPicture')}`}
        label={facets ? withCount('With a picture', facets.withPicture, facets.about) : 'With a picture'}
        name="hasPicture"
        value="1"
        defaultChecked={query.get('hasPicture') === '1'}
      />
    </>
  )
}

/** The ZIP code that the visitor entered earlier, here or on a part's page. It has its own place: it appears late. */
function KnownZip({ base, query, refused }: Omit<WithBase, 'facets'>) {
  const asked = query.get('zip')
  const [known, setKnown] = useState<string | null>(null)
  useEffect(() => {
    if (asked && !refused?.zip) keepZip(asked)
    setKnown(readZip())
  }, [asked, refused])
  if (asked || known === null) return null
  return (
    <Link className={classes.known} to={base + withChange(query, { zip: known })} preventScrollReset>
      Show distances from {known}
    </Link>
  )
}

const Group = ({ name, children }: { name: string; children: ReactNode }) => (
  <fieldset className={classes.group}>
    <legend>{name}</legend>
    {children}
  </fieldset>
)

type NumberFieldProps = Pick<WithBase, 'query' | 'refused'> & { label: string; name: string }

const NumberField = ({ label, name, query, refused }: NumberFieldProps) => (
  <TextField
    key={query.get(name)}
    label={label}
    name={name}
    inputMode="numeric"
    pattern="\d*"
    maxLength={8}
    title="A whole number"
    autoComplete="off"
    defaultValue={query.get(name) ?? ''}
    error={refused?.[name]}
  />
)

type BoxesProps = GroupProps & {
  name: string
  label: string
  counted: Facets['grades'] | undefined
  names?: Readonly<Record<string, string>>
}

function Boxes({ name, label, query, facets, counted = [], names = {} }: BoxesProps) {
  const chosen = (query.get(name) ?? '').split(',').filter(Boolean)
  const missing = chosen.filter((value) => !counted.some((each) => each.value === value))
  const boxes = [...counted, ...missing.map((value) => ({ value, count: 0 }))]
  if (boxes.length === 0) return null
  return (
    <Group name={label}>
      {boxes.map(({ value, count }) => (
        <CheckField
          key={`${value} ${chosen.includes(value)}`}
          label={withCount(names[value] ?? value, count, facets?.about)}
          name={name}
          value={value}
          defaultChecked={chosen.includes(value)}
        />
      ))}
    </Group>
  )
}

function PriceRanges({ base, query, facets }: Omit<WithBase, 'refused'>) {
  const ranges = facets?.prices.filter(({ count }) => count > 0) ?? []
  if (ranges.length < 2) return null
  return (
    <ul className={classes.ranges}>
      {ranges.map(({ from, to, count }) => (
        <li key={from}>
          <Link
            to={
              base +
              withChange(query, { priceMin: String(from), priceMax: to === null ? undefined : String(to) })
            }
            preventScrollReset
          >
            {withCount(
              to === null ? `${dollars(from)} and up` : `${dollars(from)}–${dollars(to)}`,
              count,
              facets?.about,
            )}
          </Link>
        </li>
      ))}
    </ul>
  )
}
