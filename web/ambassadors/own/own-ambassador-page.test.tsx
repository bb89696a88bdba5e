// @vitest-environment happy-dom
import { screen, waitFor, within } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import {
  getOwnAmbassador,
  joinAsAmbassador,
  saveAmbassadorProfile,
  type OwnAmbassador,
  type ProfileVersion,
} from '#contract/people/ambassador-profiles.ts'
import { getAmbassadorResults, type AmbassadorResults } from '#contract/people/ambassador-results.ts'
import { showPage, signedIn } from '#tests/setup/show.tsx'
import { answering, callsOf, refusing } from '#tests/setup/stub-api.ts'
import { wordsOf } from '#tests/setup/words.ts'

const t = wordsOf('en')
const address = '/account/ambassador'
const version: ProfileVersion = {
  state: 'approved',
  en: { name: 'Sample Person', place: 'Oslo, Norway', sentence: 'I run a meeting.' },
  cn: { name: '样本', place: '奥斯陆', sentence: '我组织聚会。' },
  link: '',
  languages: ['en'],
  picture: null,
  reason: '',
  updatedAt: '2036-05-01T10:00:00.000Z',
}
const joined = (fields: Partial<NonNullable<OwnAmbassador['ambassador']>> = {}): OwnAmbassador => ({
  state: 'joined',
  ambassador: {
    id: 'a',
    since: '2036-05-01T10:00:00.000Z',
    slug: null,
    code: 'AB12CD34',
    standing: 'active',
    reason: '',
    approved: null,
    inWork: null,
    ...fields,
  },
})
const nothing: AmbassadorResults = {
  code: 'AB12CD34',
  isCounting: true,
  totals: { signUps: 0, activations: 0, identities: 0 },
  weeks: [],
  points: { total: 0, rules: { signup: 0, activation: 1, identity: 10 }, entries: [] },
}

async function showOwn(own: OwnAmbassador, results = nothing) {
  await signedIn()
  answering(getOwnAmbassador, own)
  answering(getAmbassadorResults, results)
  return showPage(address)
}
const button = (name: Parameters<typeof t>[0]) => screen.getByRole('button', { name: t(name as never) })
const field = (name: string) => screen.getByLabelText(name, { exact: false })

test('a member with an unverified email address is asked to verify it, and is not told of an invitation', async () => {
  await showOwn({ state: 'unproved', ambassador: null })
  expect(await screen.findByText(t('ambassadorAccount.unproved.title'))).toBeVisible()
  const link = screen.getByRole('link', { name: t('ambassadorAccount.unproved.go') })
  expect(link).toHaveAttribute('href', '/account/security')
})

test('without an invitation the page says for which address there is none', async () => {
  await showOwn({ state: 'none', ambassador: null })
  expect(await screen.findByText(t('ambassadorAccount.none.title'))).toBeVisible()
})

test('an invitation is accepted, and writing the profile comes next', async () => {
  const { user } = await showOwn({ state: 'invited', ambassador: null })
  answering(joinAsAmbassador, joined())
  await user.click(await screen.findByRole('button', { name: t('ambassadorAccount.join') }))
  expect(await screen.findByRole('form', { name: t('ambassadorAccount.form.label') })).toBeVisible()
})

test('a profile can be submitted once one language is complete, and saved as a draft before', async () => {
  const { user } = await showOwn(joined())
  answering(saveAmbassadorProfile, joined({ inWork: { ...version, state: 'draft' } }))
  await user.type(await screen.findByLabelText(/Name \(English\)/), 'Sample Person')
  expect(button('ambassadorAccount.form.submit')).toBeDisabled()
  await user.selectOptions(field(t('ambassadorAccount.form.spoken.add')), 'no')
  await user.click(button('ambassadorAccount.form.save'))
  await waitFor(() => expect(callsOf(saveAmbassadorProfile)).toHaveLength(1))
  expect(callsOf(saveAmbassadorProfile)[0]!.body).toMatchObject({
    en: { name: 'Sample Person', place: '' },
    languages: ['no'],
    basedOn: null,
    submit: false,
  })
  expect(await screen.findByText(t('ambassadorAccount.state.draft.text'), { exact: false })).toBeVisible()
})

test('a submission names the version that it changes', async () => {
  const { user } = await showOwn(joined({ approved: version, slug: 'sample' }))
  answering(saveAmbassadorProfile, joined({ approved: version, inWork: { ...version, state: 'submitted' } }))
  await user.click(await screen.findByRole('button', { name: t('ambassadorAccount.edit') }))
  await user.click(button('ambassadorAccount.form.submit'))
  await waitFor(() => expect(callsOf(saveAmbassadorProfile)).toHaveLength(1))
  expect(callsOf(saveAmbassadorProfile)[0]!.body).toMatchObject({ basedOn: version.updatedAt, submit: true })
})

test('a link that is not https shows an error at its field and disables both buttons', async () => {
  const { user } = await showOwn(joined({ approved: version }))
  await user.click(await screen.findByRole('button', { name: t('ambassadorAccount.edit') }))
  await user.type(field(t('ambassadorAccount.form.link')), 'http://social.example')
  await user.tab()
  expect(field(t('ambassadorAccount.form.link'))).toHaveAttribute('aria-invalid', 'true')
  expect(button('ambassadorAccount.form.save')).toBeDisabled()
})

test('a conflict keeps the input and offers the other version', async () => {
  const { user } = await showOwn(joined({ approved: version }))
  await user.click(await screen.findByRole('button', { name: t('ambassadorAccount.edit') }))
  refusing(saveAmbassadorProfile, 'conflict')
  await user.click(button('ambassadorAccount.form.submit'))
  expect(await screen.findByText(t('ambassadorAccount.form.conflict'), { exact: false })).toBeVisible()
  expect(screen.getByLabelText(/Name \(English\)/)).toHaveValue('Sample Person')
})

test('the other version appears next to the input, which stays', async () => {
  const { user } = await showOwn(joined({ approved: version }))
  await user.click(await screen.findByRole('button', { name: t('ambassadorAccount.edit') }))
  const written = screen.getByLabelText(/Name \(English\)/)
  await user.clear(written)
  await user.type(written, 'My own words')
  refusing(saveAmbassadorProfile, 'conflict')
  await user.click(button('ambassadorAccount.form.submit'))
  const theirs = {
    ...version,
    state: 'draft' as const,
    en: { ...version.en, name: 'From another window', place: 'Elsewhere' },
    updatedAt: '2036-06-01T10:00:00.000Z',
  }
  answering(getOwnAmbassador, joined({ approved: version, inWork: theirs }))
  await user.click(await screen.findByRole('button', { name: t('ambassadorAccount.form.conflict.load') }))
  await waitFor(() => expect(screen.getByLabelText(/Location \(English\)/)).toHaveValue('Elsewhere'))
  expect(screen.getByLabelText(/Name \(English\)/)).toHaveValue('My own words')
  expect(screen.getByLabelText(/Name \(English\)/)).toHaveAccessibleDescription(
    expect.stringContaining('From another window'),
  )
  answering(saveAmbassadorProfile, joined({ approved: version, inWork: { ...theirs, state: 'submitted' } }))
  await user.click(button('ambassadorAccount.form.submit'))
  await waitFor(() => expect(callsOf(saveAmbassadorProfile)).toHaveLength(2))
  expect(callsOf(saveAmbassadorProfile)[1]!.body).toMatchObject({
    en: { name: 'My own words', place: 'Elsewhere' },
    basedOn: theirs.updatedAt,
  })
})

test('a file that is not a picture is refused at its field when chosen, and the previous picture stays', async () => {
  vi.stubGlobal('createImageBitmap', () => Promise.reject(new Error('not a picture')))
  const { user } = await showOwn(joined({ approved: { ...version, picture: 'data:image/webp;base64,AAAA' } }))
  await user.click(await screen.findByRole('button', { name: t('ambassadorAccount.edit') }))
  const choose = screen.getByLabelText(t('ambassadorAccount.form.picture'))
  await user.upload(choose, new File(['no picture'], 'portrait.jpg', { type: 'image/jpeg' }))
  await waitFor(() => expect(choose).toHaveAccessibleDescription(expect.stringContaining(t('field.picture'))))
  expect(screen.getByRole('img', { name: t('ambassadorAccount.form.picture.alt') })).toBeVisible()
  const large = new File([new Uint8Array(11 * 1024 * 1024)], 'portrait.heic', { type: 'image/heic' })
  await user.upload(choose, large)
  await waitFor(() =>
    expect(choose).toHaveAccessibleDescription(
      expect.stringContaining(t('ambassadorAccount.form.picture.tooLarge', { max: 10 })),
    ),
  )
  answering(saveAmbassadorProfile, joined({ approved: version, inWork: { ...version, state: 'submitted' } }))
  await user.click(button('ambassadorAccount.form.submit'))
  await waitFor(() => expect(callsOf(saveAmbassadorProfile)).toHaveLength(1))
  expect(callsOf(saveAmbassadorProfile)[0]!.body).not.toHaveProperty('picture')
})

test('an invalid picture is reported at its field', async () => {
  const { user } = await showOwn(joined({ approved: version }))
  await user.click(await screen.findByRole('button', { name: t('ambassadorAccount.edit') }))
  refusing(saveAmbassadorProfile, 'validation_failed', {
    errors: [{ path: 'picture', code: 'picture', message: 'No picture.' }],
  })
  await user.click(button('ambassadorAccount.form.submit'))
  await waitFor(() =>
    expect(field(t('ambassadorAccount.form.picture'))).toHaveAccessibleDescription(
      expect.stringContaining('No picture.'),
    ),
  )
})

test('says why a profile was hidden or an ambassadorship ended, and then nothing can be changed', async () => {
  await showOwn(joined({ approved: version, standing: 'ended', reason: 'Moved on.' }))
  expect(await screen.findByText(/Moved on\./)).toBeVisible()
  expect(screen.queryByRole('button', { name: t('ambassadorAccount.edit') })).toBeNull()
})

test('weekly results appear as a chart and as a table', async () => {
  await showOwn(joined({ approved: version }), {
    ...nothing,
    totals: { signUps: 3, activations: 2, identities: 1 },
    weeks: [
      { week: '2036-04-21', signUps: 1, activations: 0, identities: 0 },
      { week: '2036-04-28', signUps: 2, activations: 2, identities: 1 },
    ],
    points: {
      ...nothing.points,
      total: 12,
      entries: [
        { week: '2036-04-28', cause: 'identity', isReversal: false, count: 1, points: 10 },
        { week: '2036-04-28', cause: 'identity', isReversal: true, count: 1, points: -10 },
      ],
    },
  })
  expect(
    await screen.findByRole('img', { name: /^Signed up: 3\. peak of 2 in the week of April\s28, 2036/ }),
  ).toBeInTheDocument()
  const table = screen.getByRole('table', { name: t('ambassadorAccount.results.chart'), hidden: true })
  expect(within(table).getAllByRole('row', { hidden: true })).toHaveLength(3)
  // A step that earns nothing is left out.
  expect(screen.getByText(/: 1 for an activation, 10 for an identity approval\./)).toBeVisible()
  const ledger = screen.getByRole('table', { name: t('ambassadorAccount.points.caption') })
  expect(within(ledger).getByText(t('ambassadorAccount.points.identity.back'))).toBeVisible()
  expect(screen.getByText(t('ambassadorAccount.points.total', { points: 12 }))).toBeVisible()
})

test('until the first week is complete the page says when results appear', async () => {
  await showOwn(joined({ approved: version }))
  expect(await screen.findByText(t('ambassadorAccount.results.none'))).toBeVisible()
})

test('weeks without results are a sentence, not empty bars', async () => {
  await showOwn(joined({ approved: version }), {
    ...nothing,
    weeks: [{ week: '2036-04-21', signUps: 0, activations: 0, identities: 0 }],
  })
  expect(await screen.findByText(t('ambassadorAccount.results.nothingYet'))).toBeVisible()
  expect(screen.queryByRole('img', { name: /^Signed up/ })).toBeNull()
})

test('the link contains the code', async () => {
  await showOwn(joined({ approved: version }))
  expect(await screen.findByText(/\/login\/signup\?invitation=AB12CD34$/)).toBeVisible()
})

test('a reinstated ambassador reads that the profile awaits the board', async () => {
  await showOwn(joined({ standing: 'hidden', slug: 'sample-person', approved: version }))
  expect(await screen.findByText(t('ambassadorAccount.again'))).toBeVisible()
  expect(screen.getByText(t('ambassadorAccount.state.approved.notShown'), { exact: false })).toBeVisible()
  expect(screen.queryByText(t('ambassadorAccount.state.approved'), { exact: true })).toBeNull()
})

test('a former ambassador without a page reads nothing about one', async () => {
  await showOwn(joined({ standing: 'ended', reason: 'As agreed.' }))
  expect(await screen.findByText('Your ambassador role has ended. Reason: As agreed.')).toBeVisible()
})
