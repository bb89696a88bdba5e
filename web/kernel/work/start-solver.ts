// oxlint-disable-next-line import/default -- the bundler resolves this import to the URL of the script
import solver from './work-solver.ts?worker&url'

type Policy = { createScriptURL: (address: string) => string }
type TrustedTypes = { createPolicy: (name: string, rules: Policy) => Policy }

let policy: Policy | undefined

/** The policy that the Content-Security-Policy allows, limited to the URL of our own script. */
function solverPolicy(): Policy {
  const rules: Policy = { createScriptURL: () => solver }
  const { trustedTypes } = globalThis as { trustedTypes?: TrustedTypes }
  policy ??= trustedTypes ? trustedTypes.createPolicy('work-solver', rules) : rules
  return policy
}

/** A separate thread, so that the page stays responsive and the search continues in a background tab. */
export const startSolver = (): Worker =>
  new Worker(solverPolicy().createScriptURL(solver), { type: 'module' })
