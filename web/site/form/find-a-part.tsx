import { useEffect, useState } from 'react'
import { Link, useNavigate } from 'react-router'
import type { CarModel } from '#contract/lookups.ts'
import { nameSlug } from '#contract/pages/name-slugs.ts'
import { paths } from '#web/paths.ts'
import { Button } from '#web/site/button.tsx'
import { BuyerTool } from '#web/site/buyer-tool.tsx'
import { useSuggesting } from '#web/site/plain-search.tsx'
import { SelectField, TextField } from './field.tsx'
import classes from './find-a-part.module.css'

/** Older cars are rare; a text search finds them. */
const oldestYear = 1980

type FindAPartProps = { makes: readonly { id: string; name: string }[] }

/**
 * Year → make → model → part, or just words. A plain form: without script it opens the same list, where a model of the
 * chosen make can be picked.
 */
export function FindAPart({ makes }: FindAPartProps) {
  const navigate = useNavigate()
  const { place, box: Box, words, load } = useSuggesting('')
  return (
    <search className={`sheet ${classes.sheet}`}>
      <form
        action={paths.parts}
        className={classes.form}
        onSubmit={(event) => {
          event.preventDefault()
          void addressOf(filledIn(new FormData(event.currentTarget))).then(navigate)
        }}
      >
        <h2 className={classes.heading}>Looking for a part?</h2>
        <VehicleFields makes={makes} />
        <div ref={place}>
          {Box ? (
            <Box.SearchField {...field} words={words} />
          ) : (
            <TextField
              {...field}
              name="q"
              type="search"
              maxLength={200}
              autoComplete="off"
              onFocus={({ currentTarget }) => void load(currentTarget)}
            />
          )}
        </div>
        <Button type="submit" look="filled" size="large" className={classes.find}>
          Find parts
        </Button>
        <BuyerTool name="VehicleChips" className={classes.vehicles}>
          <Link to={paths.garage}>Add your vehicle</Link>
        </BuyerTool>
      </form>
    </search>
  )
}

const field = { label: 'Part or part number', placeholder: 'Alternator, 27060-0V210 or a VIN' }

/** A picked vehicle wins over the buyer's own. */
async function addressOf(query: URLSearchParams): Promise<string> {
  const { ownSearch } = await import('#web/site/garage/own-search.ts')
  const isOnlyWords = query.size === 1 && query.has('q')
  return isOnlyWords ? ownSearch(query.get('q') ?? '') : `${paths.parts}?${query}`
}

/** The selects of a vehicle in a form: `year`, and the slugs `make` and `model`. */
export function VehicleFields({ makes, required = false }: FindAPartProps & { required?: boolean }) {
  const [make, setMake] = useState('')
  const makeId = makes.find(({ name }) => nameSlug(name) === make)?.id ?? ''
  const [year, setYear] = useState('')
  const models = useModels(makeId, year)
  // Next year's models go on sale in the summer.
  const newestYear = new Date().getUTCFullYear() + 1
  const years = Array.from({ length: newestYear - oldestYear + 1 }, (_, back) => newestYear - back)
  return (
    <>
      <SelectField
        label="Year"
        name="year"
        value={year}
        required={required}
        onChange={(event) => setYear(event.target.value)}
      >
        <option value="">{any(required, 'year')}</option>
        {years.map((each) => (
          <option key={each}>{each}</option>
        ))}
      </SelectField>
      <SelectField
        label="Make"
        name="make"
        required={required}
        value={make}
        onChange={(event) => setMake(event.target.value)}
      >
        <option value="">{any(required, 'make')}</option>
        {makes.map(({ id, name }) => (
          <option key={id} value={nameSlug(name)}>
            {name}
          </option>
        ))}
      </SelectField>
      <SelectField label="Model" name="model" key={makeId} required={required} disabled={models.length === 0}>
        <option value="">{makeId === '' ? 'Choose a make first' : any(required, 'model')}</option>
        {models.map(({ id, carname }) => (
          <option key={id} value={nameSlug(carname)}>
            {carname}
          </option>
        ))}
      </SelectField>
    </>
  )
}

const any = (required: boolean, field: string) => `${required ? 'Choose a' : 'Any'} ${field}`

/** The models of a make, sold in a year if one is chosen. Empty while they load, or if that fails. */
function useModels(makeId: string, year: string): readonly CarModel[] {
  const [models, setModels] = useState<{ of: string; list: readonly CarModel[] }>()
  const query = String(new URLSearchParams({ manuId: makeId, year }))
  useEffect(() => {
    if (makeId === '') return
    const controller = new AbortController()
    fetch(`/api/carmodels?${query}`, { signal: controller.signal })
      .then(async (response) => response.ok && setModels({ of: query, list: await response.json() }))
      // Without the list of models the other fields still find the part.
      .catch(() => undefined)
    return () => controller.abort()
  }, [makeId, query])
  return makeId !== '' && models?.of === query ? models.list : []
}

/** The query of a form without its empty fields. */
function filledIn(form: FormData): URLSearchParams {
  const query = new URLSearchParams()
  for (const [name, value] of form) {
    if (typeof value === 'string' && value.trim() !== '') query.set(name, value.trim())
  }
  return query
}
