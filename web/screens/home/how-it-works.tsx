import classes from './home.module.css'

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
