import '@testing-library/jest-dom/vitest'
import { act, cleanup, configure, render, screen, waitFor } from '@testing-library/react'
import { userEvent, type UserEvent } from '@testing-library/user-event'
import { useEffect, useMemo, useState, type ReactNode } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, vi } from 'vitest'
import { storageKey } from '#content/brand.json'
import type { Language } from '#contract/platform/fields.ts'
import { restoreSession, type SignedIn } from '#contract/people/sessions.ts'
import { BrandProvider } from '#web/kernel/content/brand.tsx'
import { speak } from '#web/kernel/i18n/current-language.ts'
import { MessagesProvider } from '#web/kernel/i18n/messages.tsx'
import { Notices } from '#web/kernel/layout/notices.tsx'
import { clearNotices, notices } from '#web/kernel/notices/notices.ts'
import { page } from '#web/kernel/routes/page.ts'
import { navigate } from '#web/kernel/navigation/navigate.ts'
import { showView, onView, type View } from '#web/kernel/navigation/view.ts'
import { getRoute } from '#web/kernel/routes/routes.ts'
import { clearSession } from '#web/kernel/session/keep-session.ts'
import { resolvedSession } from '#web/kernel/session/session.ts'
import { StepUpHost } from '#web/sessions/step-up/step-up-host.tsx'
import { brandOf } from './site-content.ts'
import { answering } from './stub-api.ts'
import { readMessages, type wordsOf } from './words.ts'

// A busy machine must not fail the test.
configure({ asyncUtilTimeout: 15_000 })

/** The state of a visitor's first visit. */
export function showNothing(): void {
  cleanup()
  document.body.innerHTML = ''
  clearNotices()
  document.cookie = 'XSRF-TOKEN=; max-age=0'
  clearSession()
  localStorage.clear()
  sessionStorage.clear()
  history.replaceState(null, '', '/')
}

export type Shown = {
  user: UserEvent
  container: HTMLElement
  /** Switches the language in place, as the header's switch does. */
  speakIn: (language: Language) => void
}

/** Renders a component with everything around it: messages, notices, and the router. */
export function show(element: ReactNode, language: Language = 'en'): Shown {
  const part = page({ View: () => element })
  const framed = (spoken: Language) => {
    const view: View = {
      language: spoken,
      messages: readMessages(spoken),
      brand: brandOf(spoken),
      url: new URL(location.href),
      route: getRoute('home'),
      params: {},
      content: { kind: 'page', page: part, data: undefined },
      arrival: 'first',
    }
    speak(view.language, view.messages)
    showView(view)
    return <Frame first={view} />
  }
  const { container, rerender } = render(framed(language))
  return {
    user: userEvent.setup({ delay: null }),
    container,
    speakIn: (next) => act(() => rerender(framed(next))),
  }
}

/**
 * Renders a whole page by its address, without header and footer. Its data comes from the API, and its links lead to
 * pages.
 */
export async function showPage(path: string, language: Language = 'en'): Promise<Shown> {
  localStorage.setItem(storageKey, language)
  const shown = show(null, language)
  await act(() => navigate(path))
  return shown
}

/** Ends the time to undo an action, which is then sent as if its page had been left. */
export async function endUndoTime(): Promise<void> {
  await vi.waitFor(() => expect(notices.get().some(({ action }) => action)).toBe(true))
  await act(async () => void window.dispatchEvent(new Event('pagehide')))
}

function Frame({ first }: { first: View }) {
  const [{ language, messages, brand, content, params, url }, setView] = useState(first)
  useEffect(() => setView(first), [first])
  useEffect(() => onView(setView), [])
  const words = useMemo(() => ({ language, messages, setLanguage: async () => {} }), [language, messages])
  return (
    <MessagesProvider value={words}>
      <BrandProvider value={brand}>
        <main>
          {content.kind === 'page' && (
            <content.page.View data={content.data} params={params} search={url.searchParams} />
          )}
          {content.kind === 'failed' && content.message}
        </main>
        <Notices ground="auto" />
        <StepUpHost ground="auto" />
      </BrandProvider>
    </MessagesProvider>
  )
}

export const aMember: SignedIn = {
  token: 'a token',
  expiresAt: '2036-01-01T00:00:00.000Z',
  id: '0198f0a0-0000-7000-8000-000000000001',
  email: 'member@example.com',
  displayName: 'Wei Chen',
  isWriteAccessAdmin: false,
  manageNews: 0,
  manageEmployee: 0,
  manageFinance: 0,
  manageCoins: 0,
  defaultMerchant: null,
  kyc: 'none',
  hasSecondFactor: false,
  needsSecondFactor: false,
  opensConsole: false,
}

/** Signs the visitor in. */
export async function signedIn(member: Partial<SignedIn> = {}): Promise<void> {
  document.cookie = 'XSRF-TOKEN=xsrf'
  answering(restoreSession, { ...aMember, ...member })
  await act(resolvedSession)
}

/** The same as rendered by the server, before any script has loaded. */
export function showAsServed(element: ReactNode, language: Language = 'en'): void {
  const words = { language, messages: readMessages(language), setLanguage: async () => {} }
  document.body.innerHTML = renderToStaticMarkup(
    <MessagesProvider value={words}>
      <BrandProvider value={brandOf(language)}>{element}</BrandProvider>
    </MessagesProvider>,
  )
}

/** The message next to a form's button while these fields are missing. */
export const missing = (t: ReturnType<typeof wordsOf>, ...labels: string[]): string =>
  t('forms.missing', { fields: labels.map((label) => t(label)).join(t('forms.missing.separator')) })

/** Expects the text to be announced assertively, interrupting the screen reader. */
export const expectAlert = (text: string): Promise<void> =>
  waitFor(() => {
    const alerts = screen.getAllByRole('alert').map(({ textContent }) => textContent)
    expect(alerts).toContainEqual(expect.stringContaining(text))
  })
