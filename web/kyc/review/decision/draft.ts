export type Outcome = 'approved' | 'more_info' | 'rejected' | 'final'

/** What an officer has begun to decide. It is kept while the desk is open, also where they look at another case. */
export type Draft = { outcome: Outcome | ''; reason: string; note: string }

/** The private note is the case's own: it is changed, not written anew. */
export const newDraft = (note: string): Draft => ({ outcome: '', reason: '', note })
