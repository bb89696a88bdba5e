/** An email address that breaks after the local part if necessary. */
export function Address({ email }: { email: string }) {
  const at = email.lastIndexOf('@')
  if (at < 0) return email
  return (
    <>
      {email.slice(0, at)}
      <wbr />
      {email.slice(at)}
    </>
  )
}
