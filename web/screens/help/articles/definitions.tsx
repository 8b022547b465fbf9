type DefinitionsProps = { head: [term: string, meaning: string]; rows: [term: string, meaning: string][] }

/** A two-column table of terms and what they mean. */
export function Definitions({ head: [term, meaning], rows }: DefinitionsProps) {
  return (
    <table>
      <thead>
        <tr>
          <th scope="col">{term}</th>
          <th scope="col">{meaning}</th>
        </tr>
      </thead>
      <tbody>
        {rows.map(([name, text]) => (
          <tr key={name}>
            <th scope="row">{name}</th>
            <td>{text}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
