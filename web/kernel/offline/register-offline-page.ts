import { SECOND } from '#contract/platform/durations.ts'

const worker = '/sw.js'

type Policy = { createScriptURL: (address: string) => string }
type TrustedTypes = { createPolicy: (name: string, rules: Policy) => Policy }

/** Creates the trusted URL of the worker under the one policy that the Content-Security-Policy allows for it. */
function trustedWorker(): string {
  const rules: Policy = { createScriptURL: () => worker }
  const { trustedTypes } = globalThis as { trustedTypes?: TrustedTypes }
  return (trustedTypes ? trustedTypes.createPolicy('offline-page', rules) : rules).createScriptURL(worker)
}

async function register(): Promise<void> {
  try {
    await navigator.serviceWorker.register(trustedWorker(), { updateViaCache: 'none' })
  } catch {
    // Browsers without storage, and some private windows, have no offline page.
  }
}

/** Registers the service worker that shows the offline page, once the browser is idle, because nothing depends on it. */
export function registerOfflinePage(): void {
  if (!import.meta.env.PROD || !('serviceWorker' in navigator)) return
  const whenIdle = () => {
    if ('requestIdleCallback' in window) requestIdleCallback(() => void register())
    else setTimeout(() => void register(), SECOND)
  }
  if (document.readyState === 'complete') whenIdle()
  else addEventListener('load', whenIdle, { once: true })
}
