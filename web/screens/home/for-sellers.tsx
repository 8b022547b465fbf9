import { Link } from 'react-router'
import { paths, registerFor } from '#web/paths.ts'
import { ButtonLink } from '#web/site/button.tsx'
import { useSiteFacts } from '#web/site/head.tsx'
import { freePlan, proPlan } from '#web/site/plans/offers.ts'
import { PlanCard } from '#web/site/plans/plan-card.tsx'
import classes from './home.module.css'

const points = [
  {
    title: 'We pay for traffic',
    text: 'We put part of what we earn into advertising that brings people with a broken car to the part that fixes it.',
  },
  {
    title: 'More parts, more buyers',
    text: 'Every part you list gives buyers another reason to search here, and that helps every seller.',
  },
  {
    title: 'You stay the seller',
    text: 'Each part shows your name and town. We show your phone number only if you want us to.',
  },
]

/** The spec's marketing text: investing in traffic and trading in Bitcoin. It must not promise earnings. */
export function Audience() {
  const { productName: name } = useSiteFacts()
  return (
    <section className="ink" aria-labelledby="audience">
      <div className={classes.section}>
        <div className={classes.audience}>
          <div>
            <h2 id="audience">We bring buyers to your parts</h2>
            <p className={classes.story}>
              {name} is a marketing and audience-building platform first and a store second. A shelf full of
              good parts sells nothing if nobody sees it. So we bring buyers to it.
            </p>
            <p className={classes.small}>
              How we pay for it: we invest in traffic, and we trade in Bitcoin. That part is our business
              only. Buyers and sellers here deal in dollars.
            </p>
            <p className={classes.small}>
              What a part earns depends on the part, its price and the season. We promise effort and clear
              numbers, not earnings.
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
    text: 'Name, email, password. The free plan needs no card. No listing limit.',
  },
  {
    title: 'List your parts',
    text: 'Use a picture or just text. Pick make, model and category from a list; we fill in your town, phone and shipping. Phone pictures are fine.',
  },
  {
    title: 'Hear from buyers',
    text: 'Each part has a public page with your name and town. Buyers find it by keyword or part number, with or without dashes, and contact you directly.',
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
            The free plan isn’t a trial: no listing limit and no end date. Pro is for sellers with thousands
            of parts.
          </p>
        </div>
        <div className={classes.plans}>
          <PlanCard
            offer={freePlan}
            action={
              <ButtonLink to={registerFor('free')} look="filled">
                Start with Free
              </ButtonLink>
            }
          />
          <PlanCard
            offer={proPlan}
            action={<ButtonLink to={registerFor('pro')}>Register for Pro</ButtonLink>}
          />
        </div>
      </div>
    </section>
  )
}

const questionsFor = (proPrice: string) => [
  {
    question: 'What does it cost to list a part?',
    answer: `Nothing. The free plan has no listing limit and no listing fees. Pro costs ${proPrice} per month.`,
  },
  {
    question: 'Do I need pictures?',
    answer:
      'No. A quick listing is text only and shows a line drawing of the part group. But a picture helps buyers decide, and one from your phone is fine.',
  },
  {
    question: 'Can I import my inventory?',
    answer:
      'Yes, with bulk import, part of Pro. Drop in your CSV, match its columns once, check for problems in a dry run, then publish everything at once. You can undo an import for 30 days.',
  },
  {
    question: 'What happens when a part is sold?',
    answer:
      'Mark it as sold, and it leaves the public list right away. If you delete a part by mistake, you can undo it.',
  },
]

export function Questions() {
  const questions = questionsFor(useSiteFacts().proPrice)
  return (
    <section className={classes.section} aria-labelledby="questions">
      <div className={classes.beside}>
        <div>
          <h2 id="questions">Frequently asked questions</h2>
          <p className={`second ${classes.under}`}>
            More in the{' '}
            <Link to={paths.help} className={classes.inText}>
              support articles
            </Link>
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

export function Closing() {
  return (
    <section className="ink" aria-labelledby="closing">
      <div className={classes.closing}>
        <h2 id="closing">Someone is looking for that part on your shelf.</h2>
        <div className={classes.choices}>
          <Link to={registerFor('free')} className={classes.rust}>
            List your first part
          </Link>
          <Link to={paths.help} className={classes.outlined}>
            See how it works
          </Link>
        </div>
      </div>
    </section>
  )
}
