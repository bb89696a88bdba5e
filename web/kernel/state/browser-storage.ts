type Area = 'localStorage' | 'sessionStorage'

/** Any access throws if storage is disabled, full, or forbidden. Pages work without it. */
export function readItem(area: Area, key: string): string | null {
  try {
    return window[area].getItem(key)
  } catch {
    return null
  }
}

export function writeItem(area: Area, key: string, value: string | null): void {
  try {
    if (value === null) window[area].removeItem(key)
    else window[area].setItem(key, value)
  } catch {
    // Nothing to do: the value then lives only as long as the page.
  }
}

/** The names of all stored items. */
export function itemKeys(area: Area): string[] {
  try {
    return Object.keys(window[area])
  } catch {
    return []
  }
}

export function readCookie(name: string): string | null {
  const entry = document.cookie.split('; ').find((cookie) => cookie.startsWith(`${name}=`))
  return entry ? decodeURIComponent(entry.slice(name.length + 1)) : null
}
