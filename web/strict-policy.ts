import { config } from 'zod'

// zod compiles parsers with `new Function` if it can; our content security policy forbids that, and even trying would be
// reported as a violation. Must be imported before any schema is created.
config({ jitless: true })
