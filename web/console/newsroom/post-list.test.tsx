// @vitest-environment happy-dom
import { screen, waitFor } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { exportNewsroomPosts, listNewsroomPosts } from '#contract/publishing/newsroom.ts'
import { expectAlert, show, signedIn } from '#tests/setup/show.tsx'
import { answering, callsOf, unreachable } from '#tests/setup/stub-api.ts'
import { wordsOf } from '#tests/setup/words.ts'
import { PostList } from './post-list.tsx'

const t = wordsOf('en')

test('the export has the posts of the tab and its search, and reports failures', async () => {
  await signedIn({ manageNews: 1 })
  answering(listNewsroomPosts, [])
  answering(exportNewsroomPosts, 'id,title')
  const { user } = show(<PostList tab="without-chinese" q="release" mayWrite={false} />)
  const click = vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(() => {})
  URL.createObjectURL = () => 'blob:x'
  const button = await screen.findByRole('button', { name: t('console.list.file') })
  await user.click(button)
  await waitFor(() => expect(click).toHaveBeenCalledOnce())
  expect(callsOf(exportNewsroomPosts)).toMatchObject([{ query: { missing: 'cn', q: 'release' } }])
  click.mockRestore()

  unreachable(exportNewsroomPosts)
  await user.click(button)
  await expectAlert(t('errors.offline'))
})
