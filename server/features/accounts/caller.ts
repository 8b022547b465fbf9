/** Where a request came from, for the audit log and the list of sessions. */
export type Caller = { ip: string; requestId: string; userAgent: string | undefined }
