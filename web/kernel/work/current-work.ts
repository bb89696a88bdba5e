import type { ReactNode } from 'react'
import { createStore, type Store } from '../state/create-store.ts'

/** Shown in a form while a proof of work is computed for it. The component is loaded on first use. */
export const currentWork: Store<ReactNode> = createStore<ReactNode>(null)
