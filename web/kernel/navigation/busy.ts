import { createStore, type Store } from '../state/create-store.ts'

/** Whether the next page is loading. */
export const busy: Store<boolean> = createStore(false)
