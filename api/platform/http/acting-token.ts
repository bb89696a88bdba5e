import { AsyncLocalStorage } from 'node:async_hooks'

/** The API token of a call, for the audit log. */
export type ActingToken = { id: string; end: string }

const acting = new AsyncLocalStorage<ActingToken>()

/** Runs `work` as an action of this token. Without one, a person acts. */
export const actingBy = <Done>(token: ActingToken | undefined, work: () => Done): Done =>
  token ? acting.run(token, work) : work()

/** The token of the current call. */
export const actingToken = (): ActingToken | undefined => acting.getStore()
