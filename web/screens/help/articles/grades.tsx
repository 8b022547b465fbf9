import { grades, gradeWords } from '#contract/listing-rules.ts'

const meaning: Record<(typeof grades)[number], string> = {
  A: 'Works as new. Low miles for its age; only marks that cleaning removes.',
  B: 'Works without fault. Normal wear: small scratches, a dull coat, a broken clip that does not matter.',
  C: 'Works, with something a buyer must know: a crack, a dent, a bent bracket, high miles. Say it in the description.',
  D: 'For repair, or for the parts in it. Say what does not work.',
}

export function Grades() {
  return (
    <>
      <p>
        A grade is the shortest description of a used part. Buyers compare by it first, so give it as you
        would give it at the counter: from the part in front of you, not from the car it came out of.
      </p>
      <table>
        <thead>
          <tr>
            <th scope="col">Grade</th>
            <th scope="col">Meaning</th>
          </tr>
        </thead>
        <tbody>
          {grades.map((grade) => (
            <tr key={grade}>
              <th scope="row">
                {grade}, {gradeWords[grade]}
              </th>
              <td>{meaning[grade]}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <h2>In doubt, one lower</h2>
      <p>
        A part that arrives better than described is kept. One that arrives worse comes back, at your cost and
        the buyer’s trust. If you hesitate between two grades, take the lower one and describe what is good.
      </p>
      <h2>Miles</h2>
      <p>
        Miles are those of the car the part came from. They say most about what turns or rubs (engine,
        gearbox, alternator, bearings) and little about glass or a door. Leave nothing out that you would ask
        yourself.
      </p>
    </>
  )
}
