import { Anchor } from '@mantine/core'
import { Link } from 'react-router'
import { paths } from '#web/paths.ts'
import classes from './home.module.css'

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
