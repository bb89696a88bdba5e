export type Outcome = 'approved' | 'more_info' | 'rejected' | 'final'
/** Actions on a decided case. */
export type Undoing = 'withdrawn' | 'lifted' | 'lift_proposed' | 'lift_taken_back'

/**
 * A reviewer's unfinished decision. It is kept while the review page is open, even when another case is viewed. Without
 * a `note`, the case's own note is shown, which another reviewer can edit in the meantime.
 */
export type Draft = { outcome: Outcome | ''; reason: string; note?: string }

export const noDraft: Draft = { outcome: '', reason: '' }
