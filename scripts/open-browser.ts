import { type Browser, chromium } from 'playwright-core'

const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  // Makes pictures and text render the same on every machine.
  '--force-color-profile=srgb',
  '--font-render-hinting=none',
  '--disable-lcd-text',
]

/** Launches a headless Chromium: the one of CHROMIUM_PATH, otherwise the system's. */
export function openBrowser(): Promise<Browser> {
  return chromium.launch({ executablePath: process.env['CHROMIUM_PATH'] ?? '/usr/bin/chromium', args: FLAGS })
}
