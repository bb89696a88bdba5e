import { createStore, type Store } from '../kernel/state/create-store.ts'

type Answer = { memberId: string | undefined; isAccepted: boolean }

/** The answer given in this tab since it was loaded, so that the same member is not asked again on the next page. */
export const consentAnswer: Store<Answer> = createStore<Answer>({ memberId: undefined, isAccepted: false })
