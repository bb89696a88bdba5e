// @vitest-environment happy-dom
import { screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { confirmContact, continueContact, type PostedContact } from '#contract/people/conversations.ts'
import { expectAlert, show, showAsServed, showPage } from '#tests/setup/show.tsx'
import { answering, callsOf, refusing } from '#tests/setup/stub-api.ts'
import { wordsOf } from '#tests/setup/words.ts'
import contactPage from './contact-page.tsx'

const t = wordsOf('en')

/** The page as the server renders it for a form that was sent without JavaScript. */
const pageFor = (posted: PostedContact | null) => (
  <contactPage.View data={{ posted }} params={{}} search={new URLSearchParams()} />
)

test.each(['en', 'cn'] as const)(
  'the link in an answer opens a form whose message continues the conversation (%s)',
  async (language) => {
    const t = wordsOf(language)
    const { user } = await showPage('/contact?answer=the-code', language)
    expect(screen.getByRole('heading', { level: 2, name: t('contact.answer.heading') })).toBeVisible()
    expect(screen.queryByRole('textbox', { name: t('contact.email') })).toBeNull()
    const text = screen.getByRole('textbox', { name: t('contact.text') })
    await user.type(text, 'One more question.')
    refusing(continueContact, 'answer_link_invalid')
    await user.click(screen.getByRole('button', { name: t('contact.send') }))
    await expectAlert('refused: answer_link_invalid')
    expect(text).toHaveValue('One more question.')
    expect(screen.getByRole('link', { name: t('contact.answer.new') })).toHaveAttribute(
      'href',
      language === 'en' ? '/contact' : '/cn/contact',
    )
    answering(continueContact, { sent: true })
    await user.click(screen.getByRole('button', { name: t('contact.send') }))
    await waitFor(() => expect(screen.getByText(t('contact.answered.text'))).toBeVisible())
    expect(document.activeElement).toHaveTextContent(t('contact.answered.heading'))
    expect(callsOf(continueContact).at(-1)).toMatchObject({
      body: { code: 'the-code', text: 'One more question.' },
    })
  },
)

test('the link that confirms an address still needs a click', async () => {
  const { user } = await showPage('/contact?code=the-code')
  expect(callsOf(confirmContact)).toEqual([])
  answering(confirmContact, { confirmed: true })
  await user.click(screen.getByRole('button', { name: t('contact.confirm.submit') }))
  await waitFor(() => expect(screen.getByText(t('contact.confirmed.text', { days: 7 }))).toBeVisible())
})

test('without JavaScript, the page offers to go on with the link, and then shows the form with what was typed', () => {
  showAsServed(pageFor(null))
  const forms = [...document.querySelectorAll('form')]
  // The form without an action is sent to the page’s own address, which contains the code.
  expect(forms.map((form) => form.getAttribute('action'))).toContain(null)
  const given = { email: '', name: '', text: 'Kept.' }
  showAsServed(pageFor({ problems: { text: 'Too long.' }, given, linkCode: 'a/code' }))
  const form = document.querySelector('form')!
  expect(form.getAttribute('action')).toBe('/contact?answer=a%2Fcode')
  expect(form.querySelector('textarea')).toHaveValue('Kept.')
  expect(form.textContent).toContain('Too long.')
  expect(document.querySelector('input[type=email]')).toBeNull()
})

test('the contact form says where members write', () => {
  show(pageFor(null))
  expect(screen.getByRole('textbox', { name: t('contact.email') })).toBeVisible()
})
