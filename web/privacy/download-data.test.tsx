// @vitest-environment happy-dom
import { screen, waitFor } from '@testing-library/react'
import { beforeEach, expect, test, vi } from 'vitest'
import { exportMember } from '#contract/people/privacy.ts'
import { expectAlert, show, signedIn } from '#tests/setup/show.tsx'
import { answering, callsOf, holding, unreachable } from '#tests/setup/stub-api.ts'
import { wordsOf } from '#tests/setup/words.ts'
import { DownloadData } from './download-data.tsx'

const t = wordsOf('en')
const download = () => screen.getByRole('button', { name: t('account.data.download') })

/** The names of the files that the browser saved. */
let files: string[] = []
beforeEach(() => {
  files = []
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
    files.push(this.download)
  })
})

test('the archive is built on request, the button shows progress, and its arrival is announced', async () => {
  await signedIn()
  const release = holding(exportMember, {})
  const { user } = show(<DownloadData />)
  expect(screen.getByRole('status')).toBeEmptyDOMElement()
  await user.click(download())
  expect(screen.getByRole('button', { name: t('account.data.busy') })).toBeDisabled()
  release()
  await waitFor(() => expect(screen.getByRole('status')).toHaveTextContent(t('account.data.done')))
  expect(files).toEqual([t('account.data.fileName')])
  expect(callsOf(exportMember).map(({ query }) => query)).toEqual([{ format: 'zip' }])
})

test('a failure is announced, nothing is reported as downloaded, and it can be retried', async () => {
  await signedIn()
  unreachable(exportMember)
  const { user } = show(<DownloadData />)
  await user.click(download())
  await expectAlert(t('errors.offline'))
  expect(screen.getByRole('status')).toBeEmptyDOMElement()
  expect(files).toEqual([])
  answering(exportMember, {})
  await user.click(download())
  await waitFor(() => expect(files).toHaveLength(1))
  expect(screen.queryByText(t('errors.offline'))).toBeNull()
})
