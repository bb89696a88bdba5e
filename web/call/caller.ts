/** What `call` must ask of modules that stand above it. They hand it in: `call` knows neither sessions nor dialogs. */
type Caller = {
  /** The access token of whoever is signed in. */
  token: () => string | undefined
  /** A fresh token, or null where there is no session any more. Work that nobody sees interrupts nobody with a question. */
  renewToken: (options: { isUnseen: boolean }) => Promise<string | null>
  /** Asks the member to prove who they are again; false when they would rather not. */
  proveAgain: () => Promise<boolean>
}

const caller: Caller = {
  token: () => undefined,
  renewToken: () => Promise.resolve(null),
  proveAgain: () => Promise.resolve(false),
}

export const currentCaller = (): Readonly<Caller> => caller

export const callAs = (known: Partial<Caller>): void => void Object.assign(caller, known)
