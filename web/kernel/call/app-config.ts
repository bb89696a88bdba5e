import { readItem, writeItem } from '../state/browser-storage.ts'

/** `data/app-config.json`: when the running configuration took effect, and where the API is. */
type AppConfig = { quand: string; endpoint: string }

let loading: Promise<string> | undefined
let knownAppId = ''

/** Returns the base URL of the API, such as `/v2/`. It is fetched once per tab and stored as `_quand` and `_ApiUrl`. */
export function apiBase(): Promise<string> {
  const known = readItem('sessionStorage', '_ApiUrl')
  if (known) return Promise.resolve(known)
  loading ??= loadAppConfig().catch((failure: unknown) => {
    loading = undefined
    throw failure
  })
  return loading
}

async function loadAppConfig(): Promise<string> {
  const response = await fetch('/data/app-config.json')
  if (!response.ok) throw new Error(`no configuration: ${response.status}`)
  const config = (await response.json()) as AppConfig
  writeItem('sessionStorage', '_quand', config.quand)
  writeItem('sessionStorage', '_ApiUrl', config.endpoint)
  return config.endpoint
}

/** The public application ID, delivered with the page. */
export const appId = (): string => knownAppId
export const setAppId = (id: string): void => {
  knownAppId = id
}
