/** Whether the member completed step-up authentication. `false`: they could not be asked. */
export type StepUpOutcome = boolean | 'canceled'

/** Functions that higher layers pass in, because this module knows neither sessions nor dialogs. */
type Caller = {
  /** The access token of the signed-in member. */
  token: () => string | undefined
  /** Returns a new token, or null if the session has ended. Background work (`isUnseen`) must not prompt the member. */
  renewToken: (options: { isUnseen: boolean }) => Promise<string | null>
  /** Asks the member for step-up authentication. */
  requestStepUp: () => Promise<StepUpOutcome>
}

const caller: Caller = {
  token: () => undefined,
  renewToken: () => Promise.resolve(null),
  requestStepUp: () => Promise.resolve(false),
}

export const currentCaller = (): Readonly<Caller> => caller

export const callAs = (known: Partial<Caller>): void => void Object.assign(caller, known)
