import { Anchor, Text, Title } from '@mantine/core'
import { useId } from 'react'
import type { ImportField } from '#contract/csv/import-fields.ts'
import type { ExampleListing } from '#contract/import-check.ts'
import { formatCount } from '#web/components/imports/import-words.ts'
import { useCategories } from '#web/components/listing-lookups/lookup-queries.ts'
import type { Wizard } from '#web/screens/dashboard/seller/create-bulk-auto-part-listing/wizard/use-wizard.ts'
import { GroupDrawing } from '#web/site/card/listing-picture.tsx'
import { formatPrice } from '#web/site/card/listing-words.ts'
import card from '#web/site/card/part-card.module.css'
import { CardFrame } from '#web/site/card/part-card.tsx'
import classes from './decide.module.css'

type ExamplesProps = { wizard: Wizard; examples: readonly ExampleListing[] }

/** Finished listings of the file as buyers would see them. A wrong value leads to the choice of its column. */
export function Examples({ wizard, examples }: ExamplesProps) {
  const titleId = useId()
  const { data: categories } = useCategories()
  if (examples.length === 0) return null
  return (
    <section aria-labelledby={titleId}>
      <Title order={2} size="h3" id={titleId}>
        Is this right?
      </Title>
      <Text className="second" mb="sm">
        This is how buyers will see {examples.length === 1 ? 'a part' : `${examples.length} parts`} of your
        file. Click anything that is wrong to choose another column for it.
      </Text>
      <ul className={classes.examples}>
        {examples.map((example) => (
          <li key={`${example.why} ${example.row}`}>
            <ExampleCard
              example={example}
              group={categories?.find(({ name }) => name === example.category)?.group ?? null}
              onWrong={wizard.seek}
            />
          </li>
        ))}
      </ul>
      <Text size="sm" className="second" mt="xs">
        Something missing?{' '}
        <Anchor component="button" type="button" inherit onClick={() => wizard.goTo('mapping')}>
          See all columns
        </Anchor>
      </Text>
    </section>
  )
}

const whyWords: Record<ExampleListing['why'], string> = {
  dearest: 'Most expensive',
  cheapest: 'Cheapest',
  common: 'Most common type',
  corrected: 'Corrected',
  drawn: 'Picked at random',
}

type ExampleCardProps = {
  example: ExampleListing
  group: string | null
  onWrong: (field: ImportField) => void
}

function ExampleCard({ example, group, onWrong }: ExampleCardProps) {
  const { why, row, title, price, side, miles, grade, category, place, partnum, columns } = example
  const fact = (key: FactKey) => ({
    name: facts[key].name,
    column: columns[key],
    onWrong: () => onWrong(facts[key].field),
  })
  return (
    <CardFrame
      heading="h3"
      picture={<GroupDrawing group={group} />}
      title={<Fact {...fact('title')} text={title} />}
    >
      <p className={card.where}>
        {whyWords[why]} · row {formatCount(row)}
      </p>
      <p className={card.offer}>
        <span className={card.price}>
          <Fact {...fact('price')} text={price === null ? '' : formatPrice(price, 'USD')} />
        </span>
        <Fact {...fact('grade')} text={grade && `Grade ${grade}`} />
      </p>
      <p className={classes.facts}>
        {side !== '' && <Fact {...fact('side')} text={side} />}
        <Fact {...fact('miles')} text={miles === null ? '' : `${formatCount(miles)} miles`} />
        <Fact {...fact('category')} text={category} />
        {partnum !== '' && <Fact {...fact('partnum')} text={`Part # ${partnum}`} />}
        <Fact {...fact('place')} text={place} />
      </p>
    </CardFrame>
  )
}

/** Maps the names in the dry run's reply to fields. */
const facts = {
  title: { name: 'Title', field: 'partname' },
  price: { name: 'Price', field: 'partprice' },
  grade: { name: 'Grade', field: 'partgrade' },
  side: { name: 'Side', field: 'partside' },
  miles: { name: 'Miles', field: 'partmiles' },
  category: { name: 'Part type', field: 'partcategory' },
  partnum: { name: 'Part number', field: 'partnum' },
  place: { name: 'Town', field: 'partcity' },
} as const satisfies Record<string, { name: string; field: ImportField }>
type FactKey = keyof typeof facts

type FactProps = { name: string; text: string; column: string | undefined; onWrong: () => void }

/** One value of the card. If most parts have it, a missing one can be entered. */
function Fact({ name, text, column, onWrong }: FactProps) {
  const from = column === undefined ? '' : `, from “${column}”`
  return (
    <button
      type="button"
      className={classes.fact}
      data-missing={text === '' || undefined}
      // Screen readers get this as the description: as the name, it would be in the card's heading.
      title={`${name}${from}. Choose another column`}
      onClick={onWrong}
    >
      {text === '' ? `No ${name.toLowerCase()}` : text}
    </button>
  )
}
