import { useId } from 'react'
import { Form, Link, useLoaderData, useLocation } from 'react-router'
import type { FilterChoices, PartCard, PartsPage } from '#contract/public-pages.ts'
import { paths } from '#web/paths.ts'
import { Head } from '#web/site/head.tsx'

export function Component() {
  const { found, choices } = useLoaderData<PartsPage>()
  const query = new URLSearchParams(useLocation().search)
  return (
    <>
      <Head
        title="Find Auto Parts"
        description="Used and OEM parts, straight from the yards."
        canonical={paths.parts}
        noindex={query.size > 0}
      />
      <h1>Find Auto Parts</h1>
      <p>Used and OEM parts, straight from the yards.</p>
      <Filters query={query} choices={choices} />
      <p role="status">
        {found.total.toLocaleString('en-US')}
        {found.totalIsAtLeast && '+'} product(s) found
      </p>
      {found.items.map((part) => (
        <Card key={part.id} part={part} />
      ))}
    </>
  )
}

function Filters({ query, choices }: { query: URLSearchParams; choices: FilterChoices }) {
  return (
    <Form action={paths.parts} role="search">
      <label>
        Search <input type="search" name="q" defaultValue={query.get('q') ?? ''} />
      </label>
      <Choice label="Category" name="categoryId" query={query} choices={choices.categories} />
      <button type="submit">Search</button>
    </Form>
  )
}

type ChoiceProps = {
  label: string
  name: string
  query: URLSearchParams
  choices: { id: string; name: string }[]
}

function Choice({ label, name, query, choices }: ChoiceProps) {
  const id = useId()
  return (
    <>
      <label htmlFor={id}>{label}</label>
      <select id={id} name={name} defaultValue={query.get(name) ?? ''}>
        <option value="">All</option>
        {choices.map((choice) => (
          <option key={choice.id} value={choice.id}>
            {choice.name}
          </option>
        ))}
      </select>
    </>
  )
}

function Card({ part }: { part: PartCard }) {
  return (
    <article>
      <h2>
        <Link to={paths.part(part.partslug)}>
          {[part.partyear, part.partmanuname, part.partmodel, part.partname].filter(Boolean).join(' ')}
        </Link>
      </h2>
      <p>${part.partprice}</p>
      <p>
        <span>Part #</span> {part.partnum}
      </p>
    </article>
  )
}
