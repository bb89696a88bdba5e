import { AsyncLocalStorage } from 'node:async_hooks'

/** By which token a call is made, for those who write down who did what. */
export type ActingToken = { id: string; end: string }

const acting = new AsyncLocalStorage<ActingToken>()

/** What `work` does, it does by this token; without one, a person does it. */
export const actingBy = <Done>(token: ActingToken | undefined, work: () => Done): Done =>
  token ? acting.run(token, work) : work()

/** The token that acts at this moment. */
export const actingToken = (): ActingToken | undefined => acting.getStore()
