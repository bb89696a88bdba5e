import type { ReactNode } from 'react'
import { createStore, type Store } from '../state/create-store.ts'

/** What a form shows while a proof of work is found for what it sends. The rest of it is loaded with the first that is asked for. */
export const shownWork: Store<ReactNode> = createStore<ReactNode>(null)
