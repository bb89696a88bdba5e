export type Outcome = 'approved' | 'more_info' | 'rejected' | 'final'

/**
 * What an officer has begun to decide. It is kept while the desk is open, also where they look at another case. Without
 * a `note` the case's own stays, which somebody else may write meanwhile.
 */
export type Draft = { outcome: Outcome | ''; reason: string; note?: string }

export const noDraft: Draft = { outcome: '', reason: '' }
