// @vitest-environment happy-dom
import { cleanup, screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import facts from '#content/facts/ambassadors.json'
import { listAmbassadors, type ProfileVersion } from '#contract/people/ambassador-profiles.ts'
import {
  approveAmbassadorProfile,
  getConsoleAmbassador,
  listConsoleAmbassadors,
  setAmbassadorOrder,
  returnAmbassadorProfile,
  setAmbassadorStatus,
  type ConsoleAmbassador,
} from '#contract/people/console-ambassador-profiles.ts'
import { showPage, signedIn } from '#tests/setup/show.tsx'
import { answering, callsOf, refusing } from '#tests/setup/stub-api.ts'
import { wordsOf } from '#tests/setup/words.ts'

const t = wordsOf('en')
const approved: ProfileVersion = {
  state: 'approved',
  en: { name: 'Sample Person', place: 'Oslo, Norway', sentence: 'I run a meeting.' },
  cn: { name: '样本', place: '奥斯陆', sentence: '我组织聚会。' },
  link: '',
  languages: ['en'],
  picture: null,
  reason: '',
  updatedAt: '2036-05-01T10:00:00.000Z',
}
const submitted: ProfileVersion = {
  ...approved,
  state: 'submitted',
  en: { ...approved.en, place: 'Bergen, Norway' },
  updatedAt: '2036-05-02T10:00:00.000Z',
}
const ambassador: ConsoleAmbassador = {
  id: 'a',
  name: { en: 'Sample Person', cn: '样本人物' },
  slug: 'sample-person',
  standing: 'public',
  since: '2036-05-01T10:00:00.000Z',
  place: 2,
  waitsSince: '2036-05-02T10:00:00.000Z',
  activations: 1,
  identities: 0,
  flagged: 2,
  email: 'sample@example.org',
  fullName: 'Sample Applicant',
  memberId: 'm',
  applicationId: null,
  code: 'AB12CD34',
  reason: '',
  isOwn: false,
  approved,
  submitted,
  placeMax: 3,
  results: {
    totals: { signUps: 1, activations: 1, identities: 0 },
    points: 1,
    flags: [{ flag: 'own_network', count: 2 }],
  },
}

async function showOne(fields: Partial<ConsoleAmbassador> = {}, level: 1 | 2 = 2) {
  await signedIn({ manageEmployee: level })
  answering(getConsoleAmbassador, { ...ambassador, ...fields })
  const shown = await showPage('/console/ambassadors/profiles/a')
  await screen.findByRole('heading', { level: 1, name: 'Sample Person' })
  return shown
}
const button = (name: string) => screen.getByRole('button', { name })
const approve = () => button(t('consoleAmbassadorProfiles.approve'))

test("the list shows each ambassador's status and pending items", async () => {
  await signedIn({ manageEmployee: 1 })
  answering(listAmbassadors, [])
  answering(listConsoleAmbassadors, [ambassador])
  await showPage('/console/ambassadors/profiles')
  const link = await screen.findByRole('link', { name: 'Sample Person' })
  expect(link).toHaveAttribute('href', '/console/ambassadors/profiles/a')
  expect(
    screen.getByText(t('consoleAmbassadorProfiles.standing.waiting'), { selector: 'span' }),
  ).toBeVisible()
})

test('readers of Chinese see the Chinese names', async () => {
  await signedIn({ manageEmployee: 2 })
  answering(listAmbassadors, [])
  answering(listConsoleAmbassadors, [ambassador])
  await showPage('/console/ambassadors/profiles', 'cn')
  expect(await screen.findByRole('link', { name: '样本人物' })).toBeVisible()
})

test("links to the application, unless it is the reader's own", async () => {
  await showOne({ applicationId: 'b1' })
  const application = () =>
    screen.queryByRole('link', { name: t('consoleAmbassadorProfiles.application.open') })
  expect(application()).toHaveAttribute('href', '/console/ambassadors/applications/b1')
  cleanup()
  await showOne({ applicationId: 'b1', isOwn: true })
  expect(application()).toBeNull()
})

test('samples next to real ambassadors are listed, with a link to remove them for editors', async () => {
  await signedIn({ manageEmployee: 1, manageNews: 2 })
  answering(listAmbassadors, [
    {
      slug: 'sample-person',
      name: ambassador.name,
      place: { en: 'Oslo, Norway', cn: '挪威奥斯陆' },
      link: '',
      photo: null,
    },
  ])
  answering(listConsoleAmbassadors, [ambassador])
  await showPage('/console/ambassadors/profiles')
  const count = facts.filter(({ note }) => note === 'sample').length
  expect(
    await screen.findByText(t('consoleAmbassadorProfiles.samples', { count }), { exact: false }),
  ).toBeVisible()
  expect(screen.getByRole('link', { name: t('consoleAmbassadorProfiles.samples.go') })).toHaveAttribute(
    'href',
    '/console/content/facts/ambassadors',
  )
})

test('differences from the published profile are shown, and the version that was read is approved', async () => {
  const { user } = await showOne()
  expect(screen.getByText('Public version: Oslo, Norway')).toBeVisible()
  answering(approveAmbassadorProfile, { ...ambassador, approved: submitted, submitted: null })
  await user.click(approve())
  await waitFor(() => expect(callsOf(approveAmbassadorProfile)).toHaveLength(1))
  expect(callsOf(approveAmbassadorProfile)[0]!.body).toEqual({
    basedOn: submitted.updatedAt,
    from: 'active',
    en: submitted.en,
    cn: submitted.cn,
  })
  expect(await screen.findByText(t('consoleAmbassadorProfiles.submitted.none'))).toBeVisible()
})

test("if the ambassador was faster, the board's edits in unchanged fields stay", async () => {
  const empty = { name: '', place: '', sentence: '' }
  const first = { ...submitted, cn: empty }
  const { user } = await showOne({ submitted: first })
  const field = (name: 'nameCn' | 'placeEn') =>
    screen.getByLabelText(
      t(
        name === 'nameCn'
          ? 'consoleAmbassadorProfiles.field.nameCn'
          : 'consoleAmbassadorProfiles.field.placeEn',
      ),
      { exact: false },
    )
  await user.type(field('nameCn'), '译名')
  for (const label of [
    'consoleAmbassadorProfiles.field.placeCn',
    'consoleAmbassadorProfiles.field.sentenceCn',
  ] as const)
    await user.type(screen.getByLabelText(t(label), { exact: false }), '译文')
  refusing(approveAmbassadorProfile, 'conflict')
  const moved = {
    ...first,
    en: { ...first.en, place: 'Tromsø, Norway' },
    updatedAt: '2036-05-03T10:00:00.000Z',
  }
  answering(getConsoleAmbassador, { ...ambassador, submitted: moved })
  await user.click(approve())
  await waitFor(() => expect(field('placeEn')).toHaveValue('Tromsø, Norway'))
  expect(field('nameCn')).toHaveValue('译名')
  answering(approveAmbassadorProfile, { ...ambassador, approved: moved, submitted: null })
  await user.click(approve())
  await waitFor(() => expect(callsOf(approveAmbassadorProfile)).toHaveLength(2))
  expect(callsOf(approveAmbassadorProfile)[1]!.body).toMatchObject({
    basedOn: moved.updatedAt,
    en: { place: 'Tromsø, Norway' },
    cn: { name: '译名' },
  })
})

test('a language that the ambassador left empty must be completed before publication', async () => {
  const empty = { name: '', place: '', sentence: '' }
  const { user } = await showOne({ submitted: { ...submitted, cn: empty } })
  expect(approve()).toBeDisabled()
  for (const name of ['nameCn', 'placeCn', 'sentenceCn'] as const)
    await user.type(
      screen.getByLabelText(
        t(
          name === 'nameCn'
            ? 'consoleAmbassadorProfiles.field.nameCn'
            : name === 'placeCn'
              ? 'consoleAmbassadorProfiles.field.placeCn'
              : 'consoleAmbassadorProfiles.field.sentenceCn',
        ),
      ),
      '样本',
    )
  expect(approve()).toBeEnabled()
})

test('a profile that changed in the meantime is reloaded instead of approved', async () => {
  const { user } = await showOne()
  refusing(approveAmbassadorProfile, 'conflict')
  await user.click(approve())
  expect(await screen.findByText(t('consoleAmbassadorProfiles.conflict'))).toBeVisible()
  expect(callsOf(getConsoleAmbassador)).toHaveLength(2)
})

test('a profile can be returned only with a reason', async () => {
  const { user } = await showOne()
  answering(returnAmbassadorProfile, { ...ambassador, submitted: null })
  await user.click(button(t('consoleAmbassadorProfiles.return')))
  const dialog = within(await screen.findByRole('dialog'))
  await user.click(dialog.getByRole('button', { name: t('consoleAmbassadorProfiles.return.label') }))
  expect(callsOf(returnAmbassadorProfile)).toEqual([])
  await user.type(dialog.getByLabelText(t('consoleAmbassadorProfiles.reason')), 'Please write more.')
  await user.click(dialog.getByRole('button', { name: t('consoleAmbassadorProfiles.return.label') }))
  await waitFor(() => expect(callsOf(returnAmbassadorProfile)).toHaveLength(1))
  expect(callsOf(returnAmbassadorProfile)[0]!.body).toMatchObject({ reason: 'Please write more.' })
})

test('an ambassadorship is ended with a reason, based on its current status', async () => {
  const { user } = await showOne()
  answering(setAmbassadorStatus, { ...ambassador, standing: 'ended', reason: 'Moved on.', place: null })
  await user.click(button(t('consoleAmbassadorProfiles.end')))
  const dialog = within(await screen.findByRole('dialog'))
  await user.type(dialog.getByLabelText(t('consoleAmbassadorProfiles.reason')), 'Moved on.')
  await user.click(dialog.getByRole('button', { name: t('consoleAmbassadorProfiles.end.label') }))
  await waitFor(() => expect(callsOf(setAmbassadorStatus)).toHaveLength(1))
  expect(callsOf(setAmbassadorStatus)[0]!.body).toEqual({
    from: 'active',
    to: 'ended',
    reason: 'Moved on.',
  })
  await waitFor(() =>
    expect(screen.queryByRole('button', { name: t('consoleAmbassadorProfiles.end') })).toBeNull(),
  )
})

test('offers no position beyond the last', async () => {
  const { user } = await showOne()
  answering(setAmbassadorOrder, { ...ambassador, place: 1 })
  const place = screen.getByLabelText(t('consoleAmbassadorProfiles.placeField', { max: 3 }))
  await user.clear(place)
  await user.type(place, '4')
  expect(button(t('consoleAmbassadorProfiles.place.do'))).toBeDisabled()
  await user.clear(place)
  await user.type(place, '1')
  await user.click(button(t('consoleAmbassadorProfiles.place.do')))
  await waitFor(() => expect(callsOf(setAmbassadorOrder)[0]?.body).toEqual({ place: 1 }))
})

test.each([
  ['with level 1', {}, 1],
  ['of oneself', { isOwn: true }, 2],
] as const)('nobody decides %s', async (_, fields, level) => {
  await showOne(fields, level)
  expect(screen.queryByRole('button', { name: t('consoleAmbassadorProfiles.approve') })).toBeNull()
  expect(screen.queryByRole('button', { name: t('consoleAmbassadorProfiles.end') })).toBeNull()
})

test('the board sees the results of invitations and why some do not count', async () => {
  await showOne()
  expect(screen.getByText(t('consoleAmbassadorProfiles.flag.own_network'))).toBeVisible()
})

test('approving a hidden profile says that it becomes visible again, and names the version that was read', async () => {
  const { user } = await showOne({ standing: 'hidden', place: null })
  expect(screen.getByText(t('consoleAmbassadorProfiles.submitted.hidden'))).toBeVisible()
  answering(approveAmbassadorProfile, { ...ambassador, approved: submitted, submitted: null })
  await user.click(approve())
  await waitFor(() => expect(callsOf(approveAmbassadorProfile)).toHaveLength(1))
  expect(callsOf(approveAmbassadorProfile)[0]!.body).toMatchObject({ from: 'hidden' })
})

test("the reader's own profile has no live figures and no actions", async () => {
  const hidden = { activations: null, identities: null, flagged: null, results: null }
  await showOne({ isOwn: true, ...hidden })
  expect(screen.getByText(t('consoleAmbassadorProfiles.results.own'))).toBeVisible()
  for (const name of ['place.do', 'hide', 'end', 'approve'] as const)
    expect(screen.queryByRole('button', { name: t(`consoleAmbassadorProfiles.${name}`) })).toBeNull()
})

test('an ambassador without a page is not said to have one', async () => {
  const { user } = await showOne({ standing: 'unwritten', slug: null, place: null, approved: null })
  await user.click(button(t('consoleAmbassadorProfiles.end')))
  expect(
    screen.getByText(t('consoleAmbassadorProfiles.end.textUnlisted').replaceAll('{name}', 'Sample Person')),
  ).toBeVisible()
})
