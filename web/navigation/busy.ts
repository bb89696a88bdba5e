import { createStore, type Store } from '../state/create-store.ts'

/** Whether the next page is on its way. */
export const busy: Store<boolean> = createStore(false)
