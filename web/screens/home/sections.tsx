import { Anchor, Button, SimpleGrid, TextInput } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import { type FormEvent, useState } from 'react'
import { Link, useNavigate } from 'react-router'
import { useProductName } from '#web/api/site.ts'
import { freePlan, proPlan } from '#web/components/plans/offers.ts'
import { PlanCard } from '#web/components/plans/plan-card.tsx'
import { partsSearch, paths, registerFor } from '#web/paths.ts'
import classes from './home.module.css'

const points = [
  {
    title: 'We buy the attention',
    text: 'Part of what we earn goes back into traffic: bringing people with a broken car to the page of the part that fixes it.',
  },
  {
    title: 'The audience stays',
    text: 'Attention is built up, not rented by the click. Every part you list makes the place more worth searching, for you and for the yard next door.',
  },
  {
    title: 'You stay the seller',
    text: 'Your name and your town stand on each part. Your phone number is shown only if you say so.',
  },
]

/** The spec's marketing text: an investment in traffic, and trading in Bitcoin. Nothing is promised in money. */
export function Audience() {
  const name = useProductName()
  return (
    <section className="ink" aria-labelledby="audience">
      <div className={classes.section}>
        <div className={classes.audience}>
          <div>
            <h2 id="audience">A marketing house that happens to have a catalog</h2>
            <p className={classes.story}>
              {name} is a platform for building an audience before it is a store. A shelf full of good parts
              sells nothing while nobody walks past; so walking people past is what we work on, and what we
              put our money into.
            </p>
            <p className={classes.small}>
              What pays for it: we invest in traffic, and we trade in Bitcoin. That is our side of the
              business. Buyers and sellers here deal in dollars, and no listing depends on it.
            </p>
            <p className={classes.small}>
              What a part brings depends on the part, its price and its season. We promise effort and plain
              figures, not earnings.
            </p>
          </div>
          <ul className={classes.points}>
            {points.map(({ title, text }) => (
              <li key={title}>
                <h3>{title}</h3>
                <p>{text}</p>
              </li>
            ))}
          </ul>
        </div>
      </div>
    </section>
  )
}

const steps = [
  {
    title: 'Open your account',
    text: 'Name, e-mail, password. The free plan needs no card, and takes as many parts as you have.',
  },
  {
    title: 'List what is on the shelf',
    text: 'With a picture, or as text alone. Makes, models and categories come from lists; your town, phone and shipping are filled in for you. A phone’s camera is enough.',
  },
  {
    title: 'Answer the buyer',
    text: 'Each part has a public page with your name and town on it. People find it by words or by part number, with or without dashes, and deal with you.',
  },
]

export function HowItWorks() {
  return (
    <section className={classes.section} aria-labelledby="how">
      <h2 id="how">From the shelf to the buyer</h2>
      <ol className={classes.steps}>
        {steps.map(({ title, text }) => (
          <li key={title}>
            <h3>{title}</h3>
            <p className="second">{text}</p>
          </li>
        ))}
      </ol>
    </section>
  )
}

export function Plans() {
  return (
    <section className={classes.section} aria-labelledby="plans">
      <div className={classes.beside}>
        <div>
          <h2 id="plans">Two plans, nothing hidden</h2>
          <p className={`second ${classes.under}`}>
            The free plan is not a trial: no limit of parts, no end date. Pro is for those who list by the
            thousand.
          </p>
        </div>
        <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="md">
          <PlanCard
            offer={freePlan}
            action={
              <Button component={Link} to={registerFor('free')} size="md">
                Start with Free
              </Button>
            }
          />
          <PlanCard
            offer={proPlan}
            action={
              <Button component={Link} to={registerFor('pro')} size="md" variant="default">
                Register for Pro
              </Button>
            }
          />
        </SimpleGrid>
      </div>
    </section>
  )
}

/** The short way for a buyer who came to look for a part. */
export function PartSearch() {
  const [words, setWords] = useState('')
  const navigate = useNavigate()
  const submit = (event: FormEvent) => {
    event.preventDefault()
    void navigate(partsSearch(words.trim()))
  }
  return (
    <section className={classes.search} aria-labelledby="part-search">
      <div className={classes.searchInner}>
        <h2 id="part-search">Looking for a part?</h2>
        <search className={classes.searchBox}>
          <form onSubmit={submit} className={classes.searchForm}>
            <TextInput
              aria-label="Part, part number, make or model"
              placeholder="27060-0V210, or: Camry alternator"
              leftSection={<IconSearch size={18} stroke={1.6} aria-hidden />}
              size="md"
              value={words}
              onChange={(event) => setWords(event.currentTarget.value)}
            />
            <Button type="submit" size="md" color="sea">
              Find parts
            </Button>
          </form>
        </search>
      </div>
    </section>
  )
}

const questions = [
  {
    question: 'What does it cost to list a part?',
    answer: 'Nothing. The free plan has no limit of parts and no listing fee. Pro costs $149 per month.',
  },
  {
    question: 'Do I need pictures?',
    answer:
      'No. A quick listing is text only and shows a line drawing of the part’s group. A picture helps a buyer decide, though, and one from a phone will do.',
  },
  {
    question: 'Can I bring the file of my yard system?',
    answer:
      'Yes, that is bulk import, a part of Pro: drop in the CSV, match its columns once, see in a dry run what is wrong and what would change, then publish it as a whole. It can be taken back for 30 days.',
  },
  {
    question: 'What happens when a part is sold?',
    answer:
      'Mark it as sold and it leaves the public list at once. A part deleted by mistake can be taken back.',
  },
]

export function Questions() {
  return (
    <section className={classes.section} aria-labelledby="questions">
      <div className={classes.beside}>
        <div>
          <h2 id="questions">Questions dealers ask</h2>
          <p className={`second ${classes.under}`}>
            More in the{' '}
            <Anchor component={Link} underline="always" to={paths.help}>
              support articles
            </Anchor>
            .
          </p>
        </div>
        <div className={classes.questions}>
          {questions.map(({ question, answer }) => (
            <details key={question}>
              <summary>{question}</summary>
              <p className="second">{answer}</p>
            </details>
          ))}
        </div>
      </div>
    </section>
  )
}
