const names = `AL Alabama;AK Alaska;AZ Arizona;AR Arkansas;CA California;CO Colorado;CT Connecticut;DE Delaware;
DC District of Columbia;FL Florida;GA Georgia;HI Hawaii;ID Idaho;IL Illinois;IN Indiana;IA Iowa;KS Kansas;KY Kentucky;
LA Louisiana;ME Maine;MD Maryland;MA Massachusetts;MI Michigan;MN Minnesota;MS Mississippi;MO Missouri;MT Montana;
NE Nebraska;NV Nevada;NH New Hampshire;NJ New Jersey;NM New Mexico;NY New York;NC North Carolina;ND North Dakota;
OH Ohio;OK Oklahoma;OR Oregon;PA Pennsylvania;PR Puerto Rico;RI Rhode Island;SC South Carolina;SD South Dakota;
TN Tennessee;TX Texas;UT Utah;VT Vermont;VA Virginia;WA Washington;WV West Virginia;WI Wisconsin;WY Wyoming`

/** By name, with the District of Columbia and Puerto Rico. */
export const states = names.split(';').map((entry) => {
  const [code = '', ...name] = entry.trim().split(' ')
  return { code, name: name.join(' ') }
})

const codes = new Map(
  states.flatMap(
    ({ code, name }) =>
      [
        [code.toLowerCase(), code],
        [name.toLowerCase(), code],
      ] as const,
  ),
)

/** "oklahoma" and "ok" become OK; other text is unchanged. Runs in the form and again on the server. */
export function stateCode(typed: string): string {
  const text = typed.trim().replaceAll(/\s+/g, ' ')
  return codes.get(text.toLowerCase().replace(/\.$/, '')) ?? text
}

const all = new Set(codes.values())

/** Whether a text is the code of a US state, the District of Columbia or Puerto Rico. */
export const isState = (code: string): boolean => all.has(code)
