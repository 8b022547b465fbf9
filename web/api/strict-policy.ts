import { config } from 'zod'

// zod makes parsers with `new Function` where it may; our content security policy forbids that, and asking for it once
// would already be reported as a violation. This module is imported before any schema is made.
config({ jitless: true })
