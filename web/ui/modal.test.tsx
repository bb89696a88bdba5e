// @vitest-environment happy-dom
import { fireEvent, screen, waitFor } from '@testing-library/react'
import { useState } from 'react'
import { expect, test } from 'vitest'
import { show } from '#tests/setup/show.tsx'
import { Button } from './button.tsx'
import { Dialog } from './dialog.tsx'
import { Lightbox } from './lightbox.tsx'

function Asking() {
  const [isOpen, setIsOpen] = useState(false)
  return (
    <>
      <Button onClick={() => setIsOpen(true)}>Delete</Button>
      <Dialog
        isOpen={isOpen}
        onClose={() => setIsOpen(false)}
        title="Really?"
        actions={<Button onClick={() => setIsOpen(false)}>Keep</Button>}
      >
        <p>It is gone then.</p>
      </Dialog>
    </>
  )
}

async function ask() {
  const { user } = show(<Asking />)
  expect(screen.queryByRole('dialog')).toBeNull()
  await user.click(screen.getByRole('button', { name: 'Delete' }))
  return { user, dialog: await screen.findByRole('dialog', { name: 'Really?' }) }
}

const expectClosed = () => waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())

test('a dialog is named by its title and closed by its own buttons', async () => {
  const { user, dialog } = await ask()
  expect(dialog).toHaveTextContent('It is gone then.')
  await user.click(screen.getByRole('button', { name: 'Keep' }))
  await expectClosed()
})

test('Escape asks a dialog to close, and so does a click beside it, but none within', async () => {
  const { user, dialog } = await ask()
  await user.click(screen.getByText('It is gone then.'))
  expect(dialog).toHaveAttribute('open')
  // As the browser tells a dialog of Escape.
  fireEvent(dialog, new Event('cancel', { cancelable: true }))
  await expectClosed()
  await user.click(screen.getByRole('button', { name: 'Delete' }))
  await user.click(await screen.findByRole('dialog'))
  await expectClosed()
})

test('what is looked at over the whole screen closes by its button, by Escape and beside it', async () => {
  let closings = 0
  const { user } = show(
    <Lightbox label="A node" closeLabel="Close" onClose={() => (closings += 1)}>
      <img src="/node.jpg" alt="A node" />
    </Lightbox>,
  )
  const dialog = screen.getByRole('dialog', { name: 'A node' })
  await user.click(screen.getByRole('img', { name: 'A node' }))
  expect(closings).toBe(0)
  await user.click(screen.getByRole('button', { name: 'Close' }))
  fireEvent(dialog, new Event('cancel', { cancelable: true }))
  await user.click(dialog)
  // The button lies beside the content as well.
  expect(closings).toBeGreaterThanOrEqual(3)
})
