// @vitest-environment happy-dom
import { screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { show } from '#tests/setup/show.tsx'
import { wordsOf } from '#tests/setup/words.ts'
import { LoadFailed } from './load-failed.tsx'
import { useLoaded } from './use-loaded.ts'

const t = wordsOf('en')

function Part() {
  const loaded = useLoaded('part', () => Promise.reject(new Error('gone')))
  return (
    <div id="main" tabIndex={-1}>
      {loaded.state === 'failed' && (
        <LoadFailed title="Failed" failure={loaded.failure} retry={loaded.retry} />
      )}
    </div>
  )
}

test('moves the focus to the page when the retry button disappears', async () => {
  const { user } = show(<Part />)
  await user.click(await screen.findByRole('button', { name: t('forms.retry') }))
  expect(document.activeElement).toBe(document.getElementById('main'))
})
