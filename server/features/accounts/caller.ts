/** Where a request came from, for the audit log. */
export type Caller = { ip: string; requestId: string }
