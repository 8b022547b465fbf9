import { paths } from '#web/paths.ts'
import { ButtonLink } from '#web/site/button.tsx'
import { Head } from '#web/site/head.tsx'
import { Page } from '#web/site/page.tsx'
import classes from './contact.module.css'

const reasons = [
  {
    title: 'About a part',
    text: 'Ask the seller. The part’s page shows who has it and how to reach them.',
    action: 'Find the part',
    to: paths.parts,
  },
  {
    title: 'About selling',
    text: 'Our articles cover listing, grades, payouts and importing.',
    action: 'Read the articles',
    to: paths.help,
  },
  {
    title: 'About anything else',
    text: 'Write to us. A person will reply by email.',
    action: 'Write a message',
    to: paths.support,
  },
]

export function Component() {
  return (
    <Page heading="Contact Us" lead="Three ways to reach the right person.">
      <Head
        title="Contact Us"
        description="Ask a seller about a part, read how selling works, or email our support team."
        canonical={paths.contact}
      />
      <div className={classes.reasons}>
        {reasons.map(({ title, text, action, to }) => (
          <section key={title} aria-label={title} className={classes.reason}>
            <h2>{title}</h2>
            <p className="second">{text}</p>
            <ButtonLink to={to}>{action}</ButtonLink>
          </section>
        ))}
      </div>
    </Page>
  )
}
